/** An XML element in responses of AWS services: it contains elements or text. */
export interface XmlElement {
    readonly name: string;
    readonly children: readonly XmlElement[];
    readonly text: string;
}

const token = /<(?:\?[^>]*\?|(\/?)([^\s/>]+)[^>]*?(\/?))>|([^<]+)/g;

/** The root element. Ignores attributes. Throws if the XML is incomplete. */
export function parseXml(xml: string): XmlElement {
    type Open = { name: string; children: XmlElement[]; text: string };
    const all: Open = { name: "", children: [], text: "" };
    const open = [all];
    for (const [, end, name, isEmpty, text] of xml.matchAll(token)) {
        const inner = open.at(-1)!;
        if (text !== undefined) inner.text += unescaped(text);
        if (name === undefined) continue;
        if (end) {
            if (inner.name !== name || open.length === 1) throw notWhole(xml);
            open.pop();
            continue;
        }
        const element: Open = { name, children: [], text: "" };
        inner.children.push(element);
        if (!isEmpty) open.push(element);
    }
    const [first] = all.children;
    if (open.length > 1 || !first) throw notWhole(xml);
    return first;
}

/** All elements at a path: `elementsAt(answer, "volumeSet", "item")`. */
export function elementsAt(element: XmlElement, ...path: string[]): XmlElement[] {
    return path.reduce<XmlElement[]>(
        (found, name) => found.flatMap(({ children }) => children.filter((each) => each.name === name)),
        [element],
    );
}

/** The text of the first element at a path; `undefined` if there is none or it is empty. */
export function textAt(element: XmlElement, ...path: string[]): string | undefined {
    return elementsAt(element, ...path)[0]?.text.trim() || undefined;
}

function notWhole(xml: string): Error {
    return new Error(`the response must be XML (got ${xml.trim().slice(0, 100) || "nothing"})`);
}

/** Error of an AWS service or a compatible store: `AccessDenied: Access Denied`. */
export function refusal(xml: string): string {
    const code = element(xml, "Code");
    return code ? `${code}: ${unescaped(element(xml, "Message") ?? "")}` : xml.trim().slice(0, 200) || "empty response";
}

/** Raw text of the first element with this name. */
export function element(xml: string, name: string): string | undefined {
    return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

export function unescaped(text: string): string {
    const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
    return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => characters[name]!);
}
