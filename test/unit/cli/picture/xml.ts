import { SaxesParser } from "saxes";

export interface Element {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
    text: string;
}

/** The elements of a document, in order. Throws if it is not well-formed. */
export function elementsOf(document: string): Element[] {
    const elements: Element[] = [];
    const open: Element[] = [];
    const parser = new SaxesParser({ xmlns: true });
    parser.on("error", (error) => {
        throw error;
    });
    parser.on("opentag", ({ name, attributes }) => {
        const plain = Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value]));
        const element = { name, attributes: plain, text: "" };
        elements.push(element);
        open.push(element);
    });
    parser.on("text", (text) => {
        if (open.length > 0) open.at(-1)!.text += text;
    });
    parser.on("closetag", () => void open.pop());
    parser.write(document).close();
    return elements;
}
