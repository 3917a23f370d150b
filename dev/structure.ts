import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { OF_CHECKOUT } from "../cli/tradewind";

/**
 * What each top-level folder may import in addition to its own files, including types. Lower layers come first, so that every
 * arrow points up this list.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
    ignition: [],
    clients: [],
    "command-line": ["clients"],
    bundling: [],
    versions: [],
    cache: ["versions"],
    agents: ["ignition", "clients"],
    artifacts: ["clients", "command-line", "versions", "cache"],
    machines: ["ignition", "command-line", "agents", "cache"],
    cluster: ["ignition", "clients", "bundling", "agents", "versions"],
    components: ["ignition", "clients", "bundling", "agents", "cluster"],
    "index.ts": ["cluster", "components"],
    plugin: ["cluster", "components"],
    stacks: ["clients", "versions", "cache", "cluster", "components", "index.ts"],
    simulator: ["clients", "bundling", "versions", "cache", "machines"],
    local: [
        "clients",
        "command-line",
        "versions",
        "cache",
        "artifacts",
        "machines",
        "cluster",
        "components",
        "simulator",
    ],
    cli: [
        ...["ignition", "clients", "command-line", "bundling", "agents", "versions", "cache", "artifacts", "machines"],
        ...["cluster", "components", "simulator", "local"],
    ],
    dev: [
        ...["ignition", "clients", "command-line", "bundling", "agents", "versions", "cache", "artifacts", "machines"],
        ...["cluster", "components", "stacks", "simulator", "local", "cli", "test"],
    ],
};

/** An import of one file by another. */
export interface Import {
    readonly from: string;
    readonly to: string;
}

/** Source files of production code: no tests, docs, examples, or generated code. Paths are relative to the root. */
export function sourceFiles(root: string): string[] {
    const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
        cwd: root,
        encoding: "utf8",
    });
    return tracked
        .split("\n")
        .filter((file) => /\.(ts|cts|cjs)$/.test(file) && !/^(test|docs|examples|site)\//.test(file))
        .filter((file) => file !== "ignition/types.ts" && existsSync(join(root, file)));
}

/** Every import between the files, by `import`, `export … from`, `require` and `import()` of a literal path. */
export function importsOf(root: string, files: readonly string[]): Import[] {
    const known = new Set(files);
    return files.flatMap((from) =>
        specifiersOf(from, readFileSync(join(root, from), "utf8")).flatMap((path) => {
            const to = resolve(from, path, known);
            return to === undefined || to === from ? [] : [{ from, to }];
        }),
    );
}

function importsByFile(imports: readonly Import[]): ReadonlyMap<string, readonly Import[]> {
    const all = new Map<string, Import[]>();
    for (const each of imports) all.set(each.from, [...(all.get(each.from) ?? []), each]);
    return all;
}

/** Groups of files that import each other, directly or through others. */
export function circlesOf(imports: readonly Import[]): string[][] {
    const next = importsByFile(imports);
    const index = new Map<string, number>();
    const low = new Map<string, number>();
    const open: string[] = [];
    const circles: string[][] = [];
    const visit = (file: string): void => {
        index.set(file, index.size);
        low.set(file, index.get(file)!);
        open.push(file);
        for (const { to } of next.get(file) ?? []) {
            if (!index.has(to)) visit(to);
            if (open.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!));
        }
        if (low.get(file) !== index.get(file)) return;
        const circle = open.splice(open.indexOf(file));
        if (circle.length > 1) circles.push(circle.sort());
    };
    for (const { from } of imports) if (!index.has(from)) visit(from);
    return circles;
}

/** Files that run on users' machines and nodes: entry points, and everything that they import. */
export function productFiles(files: readonly string[], imports: readonly Import[]): string[] {
    const onlyHere = OF_CHECKOUT.map((name) => `cli/${name}/`);
    const isEntry = (file: string) =>
        ["index.ts", "components", "plugin", "stacks"].includes(layerOf(file)) ||
        /^agents\/.*\/main\.ts$|^cli\/tradewind\.ts$/.test(file);
    const next = importsByFile(imports);
    const found = new Set<string>();
    const visit = (file: string): void => {
        if (found.has(file) || onlyHere.some((folder) => file.startsWith(folder))) return;
        found.add(file);
        for (const { to } of next.get(file) ?? []) visit(to);
    };
    files.filter(isEntry).forEach(visit);
    return [...found].sort();
}

/** Imports that `LAYERS` does not allow. */
export function upwardImports(imports: readonly Import[]): Import[] {
    return imports.filter(({ from, to }) => {
        const [own, other] = [layerOf(from), layerOf(to)];
        return own !== other && !LAYERS[own]?.includes(other);
    });
}

/** The top-level folder or file. */
export function layerOf(file: string): string {
    return file.split("/")[0]!;
}

function specifiersOf(file: string, text: string): string[] {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
        if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
            found.push((node.moduleSpecifier as ts.StringLiteral).text);
        } else if (ts.isCallExpression(node) && isLoading(node.expression) && node.arguments[0]) {
            if (ts.isStringLiteral(node.arguments[0])) found.push(node.arguments[0].text);
        }
        ts.forEachChild(node, visit);
    };
    visit(source);
    return found.filter((path) => path.startsWith("."));
}

function isLoading(callee: ts.Expression): boolean {
    return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

function resolve(from: string, path: string, known: ReadonlySet<string>): string | undefined {
    const target = normalize(join(dirname(from), path)).replace(/\/$/, "");
    const base = target.replace(/\.js$/, "");
    const folder = base === "." ? "" : `${base}/`;
    return [target, `${base}.ts`, `${base}.cjs`, `${folder}index.ts`].find((each) => known.has(each));
}
