import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Result } from "../../../cli/verify-cloud/report";
import { hasState } from "../../../local/state";
import { ensureEngine, list, pickSubnet } from "../../../machines";
import { versions } from "../../../versions";
import { recordWhatIsMet } from "../../met";
import { itLong } from "../../takes-long";
import { root } from "../cluster";
import { runTold } from "../commands-running";
import { simulatedAws } from "../simulated-aws";
import { qualified, type SimulatedCloud } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";
import { simulatedDomain, whatContainersNeed } from "../simulated-internet";

interface Account {
    readonly path: string;
    readonly left: readonly string[];
}

/** Each cloud with the keys of the smallest configuration that its users would write. */
const clouds: readonly { readonly of: SimulatedCloud<Account>; readonly title: string; readonly keys: object }[] = [
    { of: simulatedAws, title: "AWS", keys: { zones: ["a"] } },
    { of: simulatedDigitalOcean, title: "DigitalOcean", keys: { region: "fra1" } },
];

for (const { of, title, keys: smallest } of clouds) {
    const name = `verify${of.cloud === "aws" ? "aws" : "do"}`;

    describe(`tradewind verify-cloud on a simulated ${title}`, function () {
        this.timeout(900_000);
        let folder: string;
        let account: Account;
        let config: string;

        before(async () => {
            recordWhatIsMet();
            await ensureEngine();
            folder = mkdtempSync(join(tmpdir(), "tradewind-verify-"));
            const path = join(folder, "account.json");
            of.open(path);
            account = of.account(path);
            const vpcCidr = await pickSubnet(name, ["10.2.0.0/16", "10.3.0.0/16"]);
            const keys = {
                ...{ cloud: of.cloud, domain: simulatedDomain, vpcCidr },
                ...smallest,
                ...of.config,
                ...whatContainersNeed(name, versions.kubernetes),
            };
            const all = qualified(keys);
            config = join(folder, "verify.yaml");
            writeFileSync(config, stringify({ config: all }));
        });
        after(async () => {
            if (hasState(name)) await verify("--destroy");
            rmSync(folder, { recursive: true, force: true });
        });

        const verify = (...more: string[]) => {
            const args = ["tradewind", "verify-cloud", "--cloud", of.cloud, "--name", name, ...more];
            // The DNS of the user's machine.
            const NODE_OPTIONS = `--require="${join(root, "simulator/clouds/bin/resolve-names.cjs")}"`;
            const env = { ...process.env, NODE_OPTIONS, TRADEWIND_SIMULATED_ACCOUNT: account.path };
            const options = { cwd: root, env, maxBuffer: 64 << 20 };
            return runTold(`npm run ${args.join(" ")}`, "node", ["dev/run.cjs", ...args], options).catch((error) => {
                throw new Error(`verify-cloud failed:\n${error.stdout}\n${error.stderr}`);
            });
        };
        const report = (): Result => {
            const [json] = readdirSync(folder).filter((file) => /^verify-.*\.json$/.test(file));
            return JSON.parse(readFileSync(join(folder, json!), "utf8"));
        };

        itLong("creates, checks, changes and destroys a cluster, and writes a report without secrets", async () => {
            const { stdout } = await verify("--config", config, "--report", folder, "--yes");
            assert.match(stdout, /Cost at list prices, .*: about \$\d+\.\d\d for 2 hours, or \$\d+\.\d\d per month/);
            const { passed, steps, left } = report();
            assert.deepEqual(
                steps.map(({ name: step, outcome }) => `${step}: ${outcome}`),
                [
                    ...["create", "ready", "access", "API", "pod network", "DNS", "remove the checks"],
                    ...["change a flag", "replace a node", "destroy", "search the account"],
                ].map((step) => `${step}: passed`),
            );
            assert.equal(passed, true);
            assert.deepEqual([left, account.left, await list(name)], [[], [], []]);
            assert.equal(hasState(name), false);
            for (const file of readdirSync(folder).filter((each) => each.startsWith("verify-"))) {
                assert.doesNotMatch(
                    readFileSync(join(folder, file), "utf8"),
                    /PRIVATE KEY|BEGIN CERTIFICATE|tradewind\.test/,
                );
            }
        });
    });
}
