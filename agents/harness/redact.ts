/** Endings of names whose values are secret: of settings, variables, headers and URL parameters. */
const NAMES = [
    "password|passphrase|passwd|secret|token",
    "(?:secret|access|api|private|encryption|signing)[_-]?(?:access[_-]?)?key(?:[_-]?id)?",
    // URLs and requests signed for AWS or Spaces.
    "X-Amz-(?:Signature|Credential)|AWSAccessKeyId",
].join("|");

/** Between a name and its value: in JSON, in JSON inside JSON, and in a URL inside another. */
const IS = String.raw`\\*["']?\s*(?:[:=]|%3D)\s*\\*["']?`;

/** No key is longer, even if each line has a timestamp. A truncated log may end within a key. */
const KEY = String.raw`-----BEGIN ([A-Z ]*)PRIVATE KEY-----(?:[\s\S]{0,32768}?-----END \1PRIVATE KEY-----|(?:(?:\s|\\[nr])*[\w+/=]{16,})*)`;

/** Patterns of secrets. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
    [new RegExp(KEY, "g"), "[private key]"],
    // Also in JSON and base64.
    [/LS0tLS1CRUdJTi[A-Za-z0-9+/=]*(?:UFJJVkFURS|BSSVZBVEUg|QUklWQVRF)[A-Za-z0-9+/=]*/g, "[private key]"],
    [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g, "[token]"],
    [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, "[bootstrap token]"],
    [/\b(Bearer|Basic) [\w+/=.~-]{8,}/g, "$1 [token]"],
    [/\b(AWS4-HMAC-SHA256 )[^\r\n"'\\]{8,}/g, "$1[signature]"],
    [/\b(A[KS]IA)[A-Z0-9]{16}\b/g, "[access key]"],
    // Of Spaces.
    [/\bDO\d\d[A-Z0-9]{16}\b/g, "[access key]"],
    [/\bdo[opr]_v1_[0-9a-f]{64}\b/g, "[token]"],
    // In a URL: https://user:password@host.
    [/(:\/\/[^\s:/@"']{1,200}:)[^\s/@"'[]{1,200}@/g, "$1[blotted out]@"],
    // A container's environment variable.
    [
        new RegExp(String.raw`("name":\s*"[\w-]{0,100}(?:${NAMES})",\s*"value":\s*")(?:[^"\\]|\\.)+`, "gi"),
        "$1[blotted out]",
    ],
    // Quoted values may contain spaces.
    [new RegExp(String.raw`((?:${NAMES})":\s*")(?:[^"\\]|\\.){6,}`, "gi"), "$1[blotted out]"],
    [new RegExp(String.raw`((?:${NAMES})${IS})(?:[^\s"',}&[\\]|\\(?!["'])){6,}`, "gi"), "$1[blotted out]"],
    [/(--(?:[a-z-]{0,40}-)?(?:password|token|secret)\s+)[^\s"'[-][^\s"']{7,}/g, "$1[blotted out]"],
];

/** Redacts keys, tokens, passwords and credentials in URLs. The result must still be reviewed before it is shared. */
export function redact(text: string): string {
    return SECRETS.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
}
