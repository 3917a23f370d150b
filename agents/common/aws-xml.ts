/** What a service of AWS, or a store like theirs, says when it refuses: `AccessDenied: Access Denied`. */
export function refusal(xml: string): string {
    const code = element(xml, "Code");
    return code ? `${code}: ${unescaped(element(xml, "Message") ?? "")}` : xml.trim().slice(0, 200) || "without a word";
}

/** The text of the first element of a name, as it is there. */
export function element(xml: string, name: string): string | undefined {
    return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

export function unescaped(text: string): string {
    const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
    return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => characters[name]!);
}
