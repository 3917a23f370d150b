import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { awsOperator, digitalOceanOperator } from "../../../../dev/reference/operator-rights";

const root = join(__dirname, "../../../..");

/** What components import of a provider's package, types aside: `ec2/vpc`. */
function imported(provider: string): string[] {
    const sources = ["components", "stacks"].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
            .filter((name) => name.endsWith(".ts"))
            .map((name) => readFileSync(join(root, folder, name), "utf8")),
    );
    const imports = new RegExp(`^import \\{[^}]*\\} from "@pulumi/${provider}/([^"]+)"`, "gm");
    const names = sources.flatMap((source) => [...source.matchAll(imports)].map(([, name]) => name!));
    // Of the provider itself.
    return [...new Set(names)].filter((name) => name !== "provider").sort();
}

describe("what whoever runs Pulumi may have to be allowed", () => {
    for (const [provider, rights] of Object.entries({ aws: awsOperator, digitalocean: digitalOceanOperator })) {
        it(`is there for each resource and function of ${provider} that components have, and for no other`, () => {
            assert.deepEqual(Object.keys(rights).sort(), imported(provider));
        });

        it(`has each call on ${provider} once a resource`, () => {
            for (const [type, calls] of Object.entries(rights)) assert.equal(new Set(calls).size, calls.length, type);
        });
    }
});
