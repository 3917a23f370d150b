import ts from "typescript";

/** What a comment says of an option. */
export interface Comment {
    /** In one line. */
    readonly text: string;
    /** As after `@default`: values as code, words as they are. */
    readonly default?: string;
    /** Pages that tell more, as after `@see`: `docs/etcd.md#space`. */
    readonly see: readonly string[];
}

/** An interface of options. */
export interface Commented {
    readonly comment: Comment;
    /** Interfaces that it has more options from. */
    readonly bases: readonly string[];
    readonly members: Readonly<Record<string, Member>>;
}

export interface Member {
    readonly comment: Comment;
    /** Interfaces that its type names, from outside to inside. */
    readonly types: readonly string[];
}

/** The interfaces of source files, by their names. */
export function interfacesOf(texts: readonly string[]): Record<string, Commented> {
    const sources = texts.map((text) => ts.createSourceFile("options.ts", text, ts.ScriptTarget.Latest, true));
    return Object.fromEntries(
        sources.flatMap((source) =>
            source.statements.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, commented(node)]),
        ),
    );
}

function commented(node: ts.InterfaceDeclaration): Commented {
    const members = node.members
        .filter(ts.isPropertySignature)
        .map((member) => [member.name.getText(), { comment: commentOf(member), types: typesIn(member.type) }]);
    const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types.flatMap(typesIn));
    return { comment: commentOf(node), bases, members: Object.fromEntries(members) };
}

/** Names of types, within `Omit<…>`, `Partial<…>` and lists too. */
function typesIn(node: ts.Node | undefined): string[] {
    if (node === undefined) return [];
    const own = ts.isTypeReferenceNode(node)
        ? [node.typeName.getText()]
        : ts.isExpressionWithTypeArguments(node)
          ? [node.expression.getText()]
          : [];
    const inner: string[] = [];
    ts.forEachChild(node, (child) => {
        inner.push(...typesIn(child));
    });
    return [...own, ...inner];
}

function commentOf(node: ts.Node): Comment {
    const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
    return readComment(comment ? comment.getText().replace(/^\/\*\*|\*\/$/g, "") : "");
}

/** Reads a comment's text, tags and all, with or without the stars at the beginnings of its lines. */
export function readComment(text: string): Comment {
    const plain = text
        .replaceAll(/^\s*\* ?/gm, "")
        .replaceAll(/\s+/g, " ")
        .trim();
    const [said = "", ...tags] = plain.split(/(?:^| )@(?=(?:default|see)\b)/);
    const values = (name: string) =>
        tags.filter((tag) => tag.startsWith(`${name} `)).map((tag) => tag.slice(name.length).trim());
    const [value] = values("default").map(usual);
    return { text: said.trim(), ...(value !== undefined && { default: value }), see: values("see") };
}

/** A value is JSON, but words are not. */
function usual(text: string): string {
    try {
        const value = JSON.parse(text);
        if (typeof value === "object" && Object.keys(value).length === 0) return "none";
        return `\`${typeof value === "string" ? value : text}\``;
    } catch {
        return text.replace(/^- /, "");
    }
}
