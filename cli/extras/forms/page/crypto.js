// Hashes and signatures: PROTOCOL 3.2 and 3.3, with WebCrypto and nothing else.

// `H(kotp2p/TAG/1; fields)`. A field is bytes, or a number as its u64.
async function hash(tag, ...fields) {
  const parts = [ascii(`kotp2p/${tag}/1`), ...fields.map((f) => (typeof f === "number" ? u64(f) : f))];
  return sha256(join(...parts.flatMap((part) => [u32(part.length), part])));
}

async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

// -- signatures -----------------------------------------------------------------------------------

const PRIME = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const SMALL = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;
const REFUSED_KEYS = new Set([0n, 1n, PRIME - 1n, SMALL, PRIME - SMALL]);

function littleEndian(bytes) {
  return BigInt("0x" + toHex(Uint8Array.from(bytes).reverse()));
}

// PROTOCOL 3.3: not a key whose signatures fit any message.
function isGoodKey(key) {
  if (key.length !== 32) return false;
  const y = littleEndian(key) & (2n ** 255n - 1n);
  return y < PRIME && !REFUSED_KEYS.has(y);
}

const importedKeys = new Map();

// The key as WebCrypto has it; null for bytes that are no point of the curve.
async function importKey(key) {
  const name = toHex(key);
  if (!importedKeys.has(name)) {
    const made = crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
    importedKeys.set(name, made.catch(() => null));
  }
  return importedKeys.get(name);
}

// Is this the signature of `body` by the owner of `key`, with this tag?
async function isSigned(key, tag, body, signature) {
  if (signature.length !== 64 || !isGoodKey(key)) return false;
  if (littleEndian(signature.slice(32)) >= ORDER) return false;
  const imported = await importKey(key);
  if (imported === null) return false;
  const message = join(ascii(`kotp2p/${tag}/1`), Uint8Array.of(0), body);
  return crypto.subtle.verify({ name: "Ed25519" }, imported, signature, message);
}

// The first test of RFC 8032 (7.1), and the same with one bit turned.
const TEST_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
const TEST_SIGNATURE =
  "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b" +
  "d25bf5f0595bbe24655141438e7a100b";

// Whether this browser checks Ed25519 signatures, and rightly. Without it nothing here is a verdict.
async function hasEd25519() {
  try {
    const key = await crypto.subtle.importKey(
      "raw", fromHex(TEST_KEY), { name: "Ed25519" }, false, ["verify"]);
    const right = fromHex(TEST_SIGNATURE);
    const wrong = fromHex(TEST_SIGNATURE);
    wrong[0] ^= 1;
    const nothing = new Uint8Array(0);
    return (
      (await crypto.subtle.verify({ name: "Ed25519" }, key, right, nothing)) === true &&
      (await crypto.subtle.verify({ name: "Ed25519" }, key, wrong, nothing)) === false
    );
  } catch {
    return false;  // no crypto.subtle on an insecure page, or no such algorithm
  }
}
