import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { types } from "../../../../simulator/digitalocean/types";

const sdk = dirname(require.resolve("@pulumi/digitalocean/package.json"));

/** Names of the properties of an interface or a class of the SDK's own declarations, and which must be given. */
function declared(file: string, name: string): Map<string, { isRequired: boolean }> {
    const source = ts.createSourceFile(file, readFileSync(join(sdk, file), "utf8"), ts.ScriptTarget.Latest);
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

describe("the types of the simulated DigitalOcean", () => {
    for (const [token, { inputs, outputs }] of Object.entries(types)) {
        const [, module, name] = /^digitalocean:index\/(\w+):(\w+)$/.exec(token)!;
        const args = declared(`${module}.d.ts`, `${name}Args`);
        const known = [...Object.keys(inputs.rules), ...inputs.notSimulated];

        it(`have the inputs of the SDK's ${name}, and no others`, () => {
            assert.deepEqual(known.sort(), [...args.keys()].sort());
        });

        it(`ask of a ${name} all that the SDK asks for`, () => {
            const required = [...args].filter(([, { isRequired }]) => isRequired).map(([property]) => property);
            for (const property of required) assert.equal(inputs.rules[property]?.isRequired, true, property);
        });

        it(`have outputs that the SDK's ${name} has`, () => {
            const has = declared(`${module}.d.ts`, name!);
            assert.deepEqual(
                outputs.filter((output) => !has.has(output)),
                [],
            );
        });
    }
});
