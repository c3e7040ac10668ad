// The bytes of a log: head, records, torn tails (PROTOCOL 10.1 and 10.2).

const HEAD_BYTES = 40;
const BLOCK_BYTES = 512;
const FORMAT = 2;
const PROTOCOL = 6;
const RULES = 2;
const KIND = { GENESIS: 1, PLAY: 2, LINE_UP: 3, LEAVE: 4, SHARE: 5, PROOF: 11, PROGRAM: 13 };
const KIND_NAMES = {
  1: "genesis", 2: "play", 3: "line-up", 4: "leave", 5: "share", 11: "cheat-proof", 13: "program",
};

class Unreadable extends Error {
  // `versions`: those of the head, if it names others.
  constructor(why, fault, versions = null) {
    super(why);
    Object.assign(this, { fault, versions });
  }
}

class Damaged extends Error {
  fault = "damaged";
}

const crcTable = once(() =>
  Uint32Array.from({ length: 256 }, (_, i) => {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c;
  }),
);

// CRC-32 as in zlib.
function crc32(...parts) {
  const table = crcTable();
  let crc = 0xffffffff;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) crc = table[(crc ^ part[i]) & 255] ^ (crc >>> 8);
  }
  return u32((crc ^ 0xffffffff) >>> 0);
}

class LogFile {
  // Throws Unreadable: there is no such head, or it names other versions.
  constructor(bytes) {
    this.bytes = bytes;
    const isHead = bytes.length >= HEAD_BYTES && sameBytes(bytes.slice(0, 8), ascii("kotp2plg"));
    if (!isHead) throw new Unreadable("not a kotp2p log", "no-log");
    if (!sameBytes(crc32(bytes.subarray(0, 36)), bytes.subarray(36, 40))) {
      throw new Unreadable("the head of the log is damaged", "damaged-head");
    }
    const versions = [8, 12, 16].map((at) => readU32(bytes, at));
    if (versions.join() !== [FORMAT, PROTOCOL, RULES].join()) {
      throw new Unreadable("another version", "other-version", versions);
    }
    this.salt = bytes.slice(20, 36);
    this.offset = HEAD_BYTES;  // of the next record
    this.index = 0;  // of the next record
    this.isTorn = false;
    // Behind this place all bytes are zeros.
    this.lastByte = bytes.length;
    while (this.lastByte > 0 && bytes[this.lastByte - 1] === 0) this.lastByte--;
  }

  // The next record, or null at the end of what is whole. Throws Damaged.
  next() {
    const { bytes, salt, offset } = this;
    const rest = bytes.length - offset;
    if (rest === 0) return null;
    if (rest < 8 || this.lastByte <= offset) return this.tear();
    const length = bytes.subarray(offset, offset + 4);
    const index = u32(this.index);
    if (!sameBytes(bytes.subarray(offset + 4, offset + 8), crc32(salt, index, length))) {
      if (this.lacksEnd(offset + 8)) return this.tear();
      throw new Damaged("the checksum of a length");
    }
    const size = readU32(length, 0);
    if (rest - 8 < size + 4 || this.lastByte <= offset + 8) return this.tear();
    if (size < 1 || size > MOST_BYTES) throw new Damaged("a length that no record has");
    const end = offset + 8 + size;
    const payload = bytes.subarray(offset + 8, end);
    if (!sameBytes(bytes.subarray(end, end + 4), crc32(salt, index, payload))) {
      if (this.lacksEnd(end + 4)) return this.tear();
      throw new Damaged("the checksum of a record");
    }
    const record = readPayload(payload);
    record.index = this.index;
    record.offset = offset;
    this.offset = end + 4;
    this.index++;
    return record;
  }

  // Whether all is zeros from the last block on that begins in the record.
  lacksEnd(end) {
    const start = end - 1 - (end - 1) % BLOCK_BYTES;
    return start > this.offset && this.lastByte <= start;
  }

  tear() {
    this.isTorn = true;
    return null;
  }
}

function readPayload(payload) {
  try {
    const [kind, body, signature] = asArray(decode(payload), 3);
    need(KIND_NAMES[asNumber(kind)] !== undefined, "a record of no kind that a log has");
    return { kind, body: asBytes(body), signature: asBytes(signature) };
  } catch (error) {
    if (error instanceof Malformed) throw new Damaged(error.message);
    throw error;
  }
}

// The bytes of a record, as LogFile reads them.
function packRecord(salt, index, { kind, body, signature }) {
  const payload = join(Uint8Array.of(0x93, kind), encodeBytes(body), encodeBytes(signature));
  const length = u32(payload.length);
  const at = u32(index);
  return join(length, crc32(salt, at, length), payload, crc32(salt, at, payload));
}

function packHead(salt, versions = [FORMAT, PROTOCOL, RULES]) {
  const front = join(ascii("kotp2plg"), ...versions.map(u32), salt);
  return join(front, crc32(front));
}
