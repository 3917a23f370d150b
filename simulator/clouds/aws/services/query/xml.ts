/** Content of a response: lists, objects and texts. `undefined` is left out. */
export type Said = string | number | boolean | undefined | readonly Said[] | { readonly [name: string]: Said };

/** An element; list items are called `item` by EC2 and `member` by other services. */
export function element(name: string, said: Said, item: "item" | "member"): string {
    if (said === undefined) return "";
    return `<${name}>${inside(said, item)}</${name}>`;
}

function inside(said: Said, item: "item" | "member"): string {
    if (Array.isArray(said)) return said.map((each) => element(item, each, item)).join("");
    if (typeof said !== "object") return escaped(String(said));
    return Object.entries(said)
        .map(([name, each]) => element(name, each, item))
        .join("");
}

function escaped(text: string): string {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
