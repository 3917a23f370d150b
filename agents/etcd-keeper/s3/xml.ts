export interface Page {
    readonly keys: readonly string[];
    /** Of the next page, if there is one. */
    readonly next?: string;
}

/** A page of a listing, as ListObjectsV2 answers with `encoding-type=url`: keys have no character that XML escapes. */
export function listed(xml: string): Page {
    const keys = [...xml.matchAll(/<Contents>.*?<Key>([^<]*)<\/Key>.*?<\/Contents>/gs)].map(([, key]) =>
        decodeURIComponent(key!.replaceAll("+", " ")),
    );
    const isTruncated = element(xml, "IsTruncated") === "true";
    return { keys, ...(isTruncated && { next: unescaped(element(xml, "NextContinuationToken") ?? "") }) };
}

/** What a store says when it refuses: `AccessDenied: Access Denied`. */
export function refusal(xml: string): string {
    const code = element(xml, "Code");
    return code ? `${code}: ${unescaped(element(xml, "Message") ?? "")}` : xml.trim().slice(0, 200) || "without a word";
}

function element(xml: string, name: string): string | undefined {
    return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

function unescaped(text: string): string {
    const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
    return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => characters[name]!);
}
