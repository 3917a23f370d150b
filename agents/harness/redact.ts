/** Endings of names whose values are secret: of settings, variables, headers and URL parameters. */
const NAMES = [
    "password|passphrase|passwd|pwd|passcode|secret|token|credentials?|(?:_|-|\\b)(?:pass|pw|pat|auth|dsn|jwt)",
    "(?:secret|access|api|app|application|private|encryption|signing|account|license|auth|session|master)[_-]?(?:access[_-]?)?key(?:[_-]?id)?",
    "session(?:[_-]?id)?|[_-]signing|webhook(?:[_-]?url)?|connection[_-]?string",
    // URLs and requests signed for AWS, Spaces or Azure.
    "X-Amz-(?:Signature|Credential)|AWSAccessKeyId|[?&]sig",
].join("|");

/** Between a name and its value: in JSON, in JSON inside JSON, and in a URL inside another. */
const IS = String.raw`\\*["']?\s*(?:[:=]|%3D)\s*\\*["']?`;

/** No key is longer, even if each line has a timestamp. A truncated log may end within a key. */
const KEY = String.raw`-----BEGIN ([A-Z0-9 ]*)PRIVATE[ ]KEY( BLOCK)?-----(?:[\s\S]{0,32768}?-----END \1PRIVATE[ ]KEY\2-----|(?:(?:\s|\\[nr])*[\w+/=]{16,})*)`;

/** Keys and tokens of well-known services, which begin with their kind. */
const SHAPES = [
    String.raw`gh[pousr]_\w{16,}|github_pat_\w{16,}|gl(?:pat|dt|rt|cbt|ptt|soat)-[\w-]{16,}`,
    String.raw`xox[a-z](?:\.xox[a-z])?-[\w-]{8,}|xapp-[\w-]{8,}|hv[sbr]\.[\w-]{16,}|[sr]k[-_][\w-]{16,}|whsec_\w{16,}`,
    String.raw`npm_\w{20,}|pypi-[\w-]{20,}|dckr_[a-z]+_[\w-]{16,}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|SG\.[\w-]{16,}\.[\w-]{16,}`,
    String.raw`AGE-SECRET-KEY-[A-Z0-9-]{16,}|pul-[0-9a-f]{40}|hf_[A-Za-z]{20,}|shp[a-z]{2}_\w{16,}|glsa_\w{16,}|AT[A-Z]{2,3}3x[\w=-]{16,}`,
].join("|");

/** Patterns of secrets. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
    [new RegExp(KEY, "g"), "[private key]"],
    // Also in JSON and base64.
    [/LS0tLS1CRUdJTi[A-Za-z0-9+/=]*(?:UFJJVkFURS|BSSVZBVEUg|QUklWQVRF)[A-Za-z0-9+/=]*/g, "[private key]"],
    [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g, "[token]"],
    [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, "[bootstrap token]"],
    [new RegExp(String.raw`\b(?:${SHAPES})`, "g"), "[token]"],
    [/\b(Bearer|Basic) [\w+/=.~-]{8,}/g, "$1 [token]"],
    [/\b(AWS4-HMAC-SHA256 )[^\r\n"'\\]{8,}/g, "$1[signature]"],
    [/\b(A[KS]IA)[A-Z0-9]{16}\b/g, "[access key]"],
    // Of Spaces.
    [/\bDO\d\d[A-Z0-9]{16}\b/g, "[access key]"],
    [/\bdo[opr]_v1_[0-9a-f]{64}\b/g, "[token]"],
    // Headers, of whatever scheme, to the end of the line.
    [
        new RegExp(
            String.raw`(\b(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[a-z-]*(?:auth|key))${IS})(?!(?:[\w-]+ )?\[[a-z])[^\s"'\\](?:=\\?"[^\r\n"]*"|[^\r\n"'\\])*`,
            "gi",
        ),
        "$1[blotted out]",
    ],
    // In a URL: https://user:password@host. A password may contain a slash, a path follows a port.
    [/(:\/\/[^\s:/@"']{0,200}:)(?!\d+[/?"'\s])[^\s"'[]{1,200}@/g, "$1[blotted out]@"],
    [/(:\/\/)[^\s:/@"'[]{16,200}@/g, "$1[blotted out]@"],
    [/(\b[\w.-]{1,64}:)[^\s:/@"'[]{1,200}@(?=(?:tcp|udp|unix)\()/g, "$1[blotted out]@"],
    [/((?:hooks\.slack\.com|discord(?:app)?\.com\/api|webhook\.office\.com)\/)[\w/@-]{8,}/g, "$1[blotted out]"],
    // curl's, and programs like it.
    [/(\s(?:-u|--user|--proxy-user)[ =]["']?[\w.@-]{1,64}:)[^\s"'[]+/g, "$1[blotted out]"],
    [/(\b(?:password|passwd|pwd|passphrase)\s+(?:is\s+)?)(?=[^\s"'[]*[\d!#$%&*@])[^\s"'[]{4,}/gi, "$1[blotted out]"],
    [/(\blogin\s+\S{1,64}\s+password\s+)[^\s[]+/gi, "$1[blotted out]"],
    [new RegExp(String.raw`(<[\w-]{0,40}(?:${NAMES})>)[^<[]+`, "gi"), "$1[blotted out]"],
    // Variables, which programs print at their start.
    [
        new RegExp(
            String.raw`(\b[A-Z][A-Z0-9_]{0,60}_(?:KEY|PASS|PW|SIGNING|SALT|SEED|OTP|PIN)${IS})[^\s"',}&[\\/][^\s"',}&\\]{2,}`,
            "g",
        ),
        "$1[blotted out]",
    ],
    // A container's environment variable.
    [
        new RegExp(String.raw`("name":\s*"[\w-]{0,100}(?:${NAMES})",\s*"value":\s*")(?:[^"\\]|\\.)+`, "gi"),
        "$1[blotted out]",
    ],
    // Quoted values may contain spaces.
    [new RegExp(String.raw`((?:${NAMES})":\s*")(?:[^"\\]|\\.){6,}`, "gi"), "$1[blotted out]"],
    [new RegExp(String.raw`((?:${NAMES})${IS})(?:[^\s"',}&[\\]|\\(?!["'])){6,}`, "gi"), "$1[blotted out]"],
    [new RegExp(String.raw`(\b(?:password|passphrase|passwd|pwd)${IS})[^\s"',}&[\\]+`, "gi"), "$1[blotted out]"],
    [/(--(?:[a-z-]{0,40}-)?(?:password|token|secret)\s+)[^\s"'[-][^\s"']{7,}/g, "$1[blotted out]"],
];

/** Redacts keys, tokens, passwords and credentials in URLs. The result must still be reviewed before it is shared. */
export function redact(text: string): string {
    return SECRETS.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
}
