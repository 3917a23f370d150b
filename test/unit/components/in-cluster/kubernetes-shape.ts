import { join } from "node:path";
import ts from "typescript";
import type { Manifest } from "../../../../cluster/manifest";

const file = join(__dirname, "../manifests-as-source.ts");

const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2022,
    types: [],
};

/**
 * Errors of the Kubernetes SDK's types in manifests: unknown fields or wrong types.
 *
 * Written as literals, because the compiler only finds unknown fields there.
 */
export function shapeProblems(manifests: readonly Manifest[]): string[] {
    const text = [
        'import type * as k8s from "@pulumi/kubernetes/types/input";',
        ...manifests.map(
            (manifest, index) => `export const m${index}: ${typeOf(manifest)} = ${JSON.stringify(manifest)};`,
        ),
    ].join("\n");
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (path) => path === file || fileExists(path);
    host.getSourceFile = (path, ...rest) =>
        path === file ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest);
    const program = ts.createProgram([file], options, host);
    const source = program.getSourceFile(file)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ start, messageText }) => {
            const manifest = manifests[source.getLineAndCharacterOfPosition(start!).line - 1];
            return `${manifest?.kind} ${manifest?.metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
        },
    );
}

/** `apps/v1` `DaemonSet` is `apps.v1.DaemonSet`, `rbac.authorization.k8s.io/v1` `Role` is `rbac.v1.Role`. */
function typeOf({ apiVersion, kind }: Manifest): string {
    const [version, group = "core"] = apiVersion.split("/").reverse();
    return `k8s.${group.split(".")[0]}.${version}.${kind}`;
}
