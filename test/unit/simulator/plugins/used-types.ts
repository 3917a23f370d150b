import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

/** Folders of programs that create a cloud's resources. */
const folders = ["components", "stacks", "examples"];

/** A name that our programs import from a cloud's SDK. */
export interface Used {
    /** As in a state: `aws:ec2/instance:Instance`, or for a function `aws:ec2/getAmi:getAmi`. */
    readonly token: string;
    readonly isFunction: boolean;
    readonly file: string;
}

/**
 * The resource types and functions of a cloud's SDK that our programs use.
 *
 * @throws on an ambiguous import: each must be imported by name from its own file of the SDK
 */
export function usedTypes(root: string, cloud: string): Used[] {
    const files = ["index.ts", ...folders.flatMap((folder) => sources(root, folder))];
    return files.flatMap((file) => usedIn(readFileSync(join(root, file), "utf8"), cloud, file));
}

export function usedIn(text: string, cloud: string, file: string): Used[] {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const found: Used[] = [];
    const use = (from: string, names: readonly string[] | undefined) => {
        if (from !== `@pulumi/${cloud}` && !from.startsWith(`@pulumi/${cloud}/`)) return;
        const [, module = "index", type] = new RegExp(`^@pulumi/${cloud}(?:/(\\w+))?/(\\w+)$`).exec(from) ?? [];
        for (const name of names ?? [""]) {
            const isFunction = name.startsWith("get");
            const own = name.replace(/^(get\w+)Output$/, "$1");
            if (!own || own.toLowerCase() !== type?.toLowerCase()) {
                throw new Error(
                    `${file} must import each type from its own file of the SDK (got ${name || "all"} of ${from})`,
                );
            }
            found.push({ token: `${cloud}:${module}/${type}:${own}`, isFunction, file });
        }
    };
    const visit = (node: ts.Node): void => {
        if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) {
            const bindings = node.importClause?.namedBindings;
            const names = bindings && ts.isNamedImports(bindings) ? bindings.elements : undefined;
            const used = names?.filter(({ isTypeOnly }) => !isTypeOnly);
            use(
                textOf(node.moduleSpecifier),
                used?.map(({ name, propertyName }) => (propertyName ?? name).text),
            );
        } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && !node.isTypeOnly) {
            use(textOf(node.moduleSpecifier), undefined);
        } else if (ts.isCallExpression(node) && /^(require|import)$/.test(node.expression.getText())) {
            if (node.arguments[0]) use(textOf(node.arguments[0]), undefined);
        }
        ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
}

function textOf(node: ts.Node): string {
    return ts.isStringLiteralLike(node) ? node.text : "";
}

function sources(root: string, folder: string): string[] {
    return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
