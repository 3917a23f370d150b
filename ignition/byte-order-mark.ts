/** A text without the byte order mark that editors on Windows write in front: it is invisible in an error. */
export function withoutByteOrderMark(text: string): string {
    return text.replace(/^\uFEFF/, "");
}

/** The same for each text in plain data: options may be the contents of files. */
export function withoutByteOrderMarks<T>(data: T): T {
    return stripped(data) as T;
}

function stripped(data: unknown): unknown {
    if (typeof data === "string") return withoutByteOrderMark(data);
    if (Array.isArray(data)) return data.map(stripped);
    if (typeof data !== "object" || data === null || Object.getPrototypeOf(data) !== Object.prototype) return data;
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, stripped(value)]));
}
