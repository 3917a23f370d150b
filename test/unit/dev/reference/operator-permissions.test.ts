import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { documented } from "../../../../dev/clouds";

const root = join(__dirname, "../../../..");

/** What components import from a provider's package, except types: `ec2/vpc`. */
function imported(provider: string): string[] {
    const sources = ["components", "stacks"].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
            .filter((name) => name.endsWith(".ts"))
            .map((name) => readFileSync(join(root, folder, name), "utf8")),
    );
    const imports = new RegExp(`^import \\{[^}]*\\} from "@pulumi/${provider}/([^"]+)"`, "gm");
    const names = sources.flatMap((source) => [...source.matchAll(imports)].map(([, name]) => name!));
    // The provider itself.
    return [...new Set(names)].filter((name) => name !== "provider").sort();
}

describe("cloud permissions of the user of Pulumi", () => {
    for (const [provider, { operator: permissions }] of Object.entries(documented)) {
        it(`exist for each resource and function of ${provider} that components use, and for no other`, () => {
            assert.deepEqual(Object.keys(permissions).sort(), imported(provider));
        });

        it(`list each call on ${provider} once per resource`, () => {
            for (const [type, calls] of Object.entries(permissions))
                assert.equal(new Set(calls).size, calls.length, type);
        });
    }
});
