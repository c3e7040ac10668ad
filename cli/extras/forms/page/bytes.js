// Bytes: numbers of a fixed width, hexadecimal text, joining and comparing.
// Not here: values of msgpack (msgpack.js), hashes (crypto.js).

function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

function isHex(text) {
  return typeof text === "string" && /^(?:[0-9a-f]{2})*$/.test(text);
}

function fromHex(text) {
  need(isHex(text), "not hexadecimal");
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.substr(2 * i, 2), 16);
  return bytes;
}

function join(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function sameBytes(one, other) {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

// PROTOCOL 2.2: big-endian, four bytes.
function u32(number) {
  return Uint8Array.of(number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255);
}

// PROTOCOL 2.2: big-endian, eight bytes. Numbers of this protocol are below 2^53.
function u64(number) {
  return join(u32(Math.floor(number / 2 ** 32)), u32(number % 2 ** 32));
}

function readU32(bytes, at) {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
}

// The bytes of this text in ASCII. No tag and no magic has another sign.
function ascii(text) {
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

// Bytes that are not of the form that PROTOCOL asks for, or do not stand where they may. `why` is for
// programmers and in English; `fault` is what faults.js has words for.
class Malformed extends Error {
  constructor(why, fault = null) {
    super(why);
    this.fault = fault;
  }
}

function need(holds, why, fault = null) {
  if (!holds) throw new Malformed(why, fault);
}

// What `job` comes to. A record that it refuses has this fault, unless it has said another one.
async function withFault(fault, job) {
  try {
    return await job();
  } catch (error) {
    if (error instanceof Malformed) error.fault ??= fault;
    throw error;
  }
}
