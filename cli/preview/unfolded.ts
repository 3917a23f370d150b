/** What a text holds: JSON as a value, base64 of a text as that; every other value as it is. */
export function unfolded(value: unknown): unknown {
    if (typeof value !== "string") return value;
    const text = decoded(value) ?? value;
    if (!/^\s*[{[]/.test(text)) return text;
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

/** Of what is long enough not to be a word: `kube-system` could be base64 too. */
const base64 = /^(?:[A-Za-z0-9+/]{4}){10,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decoded(value: string): string | undefined {
    if (!base64.test(value)) return undefined;
    const bytes = Buffer.from(value, "base64");
    const text = bytes.toString("utf8");
    const isText = Buffer.from(text).equals(bytes) && /^[\P{C}\t\r\n]*$/u.test(text);
    return isText ? text : undefined;
}
