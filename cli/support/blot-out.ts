/** What nobody else must read, by what it looks like. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
    [/-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]*?-----END \1PRIVATE KEY-----/g, "[private key]"],
    // In JSON and in base64, too.
    [/LS0tLS1CRUdJTi[A-Za-z0-9+/=]*(?:UFJJVkFURS|BSSVZBVEUg|QUklWQVRF)[A-Za-z0-9+/=]*/g, "[private key]"],
    [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g, "[token]"],
    [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, "[bootstrap token]"],
    [/\b(Bearer|Basic) [\w+/=.~-]{8,}/g, "$1 [token]"],
    [/\b(A[KS]IA)[A-Z0-9]{16}\b/g, "[access key]"],
    [/\bdo[op]_v1_[0-9a-f]{64}\b/g, "[token]"],
    // Of an S3 request that is signed in its address.
    [/\b(X-Amz-(?:Signature|Credential|Security-Token)=)[^\s"'&]+/gi, "$1[blotted out]"],
    [
        /((?:password|passphrase|secret|secret_?access_?key|secret_?key|access_?token|api_?key|token)["']?\s*[:=]\s*["']?)[^\s"',}&[]{6,}/gi,
        "$1[blotted out]",
    ],
];

/** Text without keys, tokens and passwords. What is left must still be looked through by whoever sends it to a stranger. */
export function blotOut(text: string): string {
    return SECRETS.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
}
