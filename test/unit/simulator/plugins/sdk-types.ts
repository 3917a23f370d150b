import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import type { Simulated } from "../../../../simulator/clouds/shared/simulated";

/** Names of the properties of an interface or a class in an SDK's declarations, and which of them are required. */
function declared(path: string, name: string): Map<string, { isRequired: boolean }> {
    const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
    const holder = source.statements.find(
        (each) => (ts.isInterfaceDeclaration(each) || ts.isClassDeclaration(each)) && each.name?.text === name,
    ) as ts.InterfaceDeclaration | ts.ClassDeclaration;
    const members = [...holder.members].filter(
        (each) => ts.isPropertySignature(each) || ts.isPropertyDeclaration(each),
    );
    return new Map(
        members.map((each) => [(each.name as ts.Identifier).text, { isRequired: each.questionToken === undefined }]),
    );
}

/** Tests that simulated types have the properties of the cloud's SDK. */
export function itHasTheTypesOf<Account>(sdk: string, types: Readonly<Record<string, Simulated<Account>>>): void {
    const folder = dirname(require.resolve(`${sdk}/package.json`));
    for (const [token, { inputs, outputs }] of Object.entries(types)) {
        const [, module, file, name] = /^\w+:(\w+)\/(\w+):(\w+)$/.exec(token)!;
        const path = join(folder, module === "index" ? "" : module!, `${file}.d.ts`);
        const args = declared(path, `${name}Args`);

        it(`have only inputs of the SDK's ${name}`, () => {
            assert.deepEqual(
                Object.keys(inputs).filter((input) => !args.has(input)),
                [],
            );
        });

        it(`require for a ${name} everything that the SDK requires`, () => {
            const required = [...args].filter(([, { isRequired }]) => isRequired).map(([property]) => property);
            for (const property of required) assert.equal(inputs[property]?.isRequired, true, property);
        });

        it(`have only outputs of the SDK's ${name}`, () => {
            const has = declared(path, name!);
            assert.deepEqual(
                outputs.filter((output) => !has.has(output)),
                [],
            );
        });
    }
}
