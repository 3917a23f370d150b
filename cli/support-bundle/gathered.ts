import type { TarEntry } from "../../machines/tar";

/** A file's bytes in a bundle at most: of a longer one the end counts. */
const MOST = 8 * 2 ** 20;

/** Characters of a text that are looked through at most: what it takes in time and memory must have an end. */
const MOST_READ = 64 * 2 ** 20;

/** What was found out of a cluster, file by file. */
export class Gathered {
    readonly #files = new Map<string, string>();
    readonly #missed: string[] = [];

    /** Takes a text without what nobody else must read. */
    add(path: string, text: string): void {
        // Before it is cut: what is left of half a key does not look like one.
        const clean = blotOut(text.slice(-MOST_READ));
        const left = Math.max(0, text.length - MOST_READ) + Math.max(0, clean.length - MOST);
        const end = left > 0 ? `[the first ${left} characters are left out]\n` : "";
        this.#files.set(path, end + clean.slice(-MOST));
    }

    /** Notes what could not be had, and why. */
    miss(what: string, why: string): void {
        this.#missed.push(`${what}: ${blotOut(why)}`);
    }

    get missed(): readonly string[] {
        return this.#missed;
    }

    /** All of it below one folder, in the order of the names. */
    entries(folder: string): TarEntry[] {
        const files = new Map(this.#files);
        if (this.#missed.length > 0) files.set("missing.txt", `${this.#missed.join("\n")}\n`);
        return [...files].sort().map(([path, contents]) => ({ path: `${folder}/${path}`, contents, mode: 0o600 }));
    }
}

/** What a name ends with whose value is a secret: of a setting, a variable, a header, a parameter of a link. */
const NAMES = [
    "password|passphrase|passwd|secret|token",
    "(?:secret|access|api|private|encryption|signing)[_-]?(?:access[_-]?)?key(?:[_-]?id)?",
    // Of links and requests that are signed for AWS or Spaces.
    "X-Amz-(?:Signature|Credential)|AWSAccessKeyId",
].join("|");

/** Between a name and its value: in JSON, in JSON within JSON, and in a link that is part of another. */
const IS = String.raw`\\*["']?\s*(?:[:=]|%3D)\s*\\*["']?`;

/** A key is no longer, not even where each of its lines has a time before it. The end of a log may be within one. */
const KEY = String.raw`-----BEGIN ([A-Z ]*)PRIVATE KEY-----(?:[\s\S]{0,32768}?-----END \1PRIVATE KEY-----|(?:(?:\s|\\[nr])*[\w+/=]{16,})*)`;

/** What nobody else must read, by what it looks like. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
    [new RegExp(KEY, "g"), "[private key]"],
    // In JSON and in base64, too.
    [/LS0tLS1CRUdJTi[A-Za-z0-9+/=]*(?:UFJJVkFURS|BSSVZBVEUg|QUklWQVRF)[A-Za-z0-9+/=]*/g, "[private key]"],
    [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g, "[token]"],
    [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, "[bootstrap token]"],
    [/\b(Bearer|Basic) [\w+/=.~-]{8,}/g, "$1 [token]"],
    [/\b(AWS4-HMAC-SHA256 )[^\r\n"'\\]{8,}/g, "$1[signature]"],
    [/\b(A[KS]IA)[A-Z0-9]{16}\b/g, "[access key]"],
    // Of Spaces.
    [/\bDO\d\d[A-Z0-9]{16}\b/g, "[access key]"],
    [/\bdo[opr]_v1_[0-9a-f]{64}\b/g, "[token]"],
    // Of a link: https://somebody:password@host.
    [/(:\/\/[^\s:/@"']{1,200}:)[^\s/@"'[]{1,200}@/g, "$1[blotted out]@"],
    // A variable of a container.
    [
        new RegExp(String.raw`("name":\s*"[\w-]{0,100}(?:${NAMES})",\s*"value":\s*")(?:[^"\\]|\\.)+`, "gi"),
        "$1[blotted out]",
    ],
    // In quotes there may be spaces.
    [new RegExp(String.raw`((?:${NAMES})":\s*")(?:[^"\\]|\\.){6,}`, "gi"), "$1[blotted out]"],
    [new RegExp(String.raw`((?:${NAMES})${IS})(?:[^\s"',}&[\\]|\\(?!["'])){6,}`, "gi"), "$1[blotted out]"],
    [/(--(?:[a-z-]{0,40}-)?(?:password|token|secret)\s+)[^\s"'[-][^\s"']{7,}/g, "$1[blotted out]"],
];

/** Text without keys, tokens and passwords. What is left must still be looked through by whoever sends it to a stranger. */
export function blotOut(text: string): string {
    return SECRETS.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
}
