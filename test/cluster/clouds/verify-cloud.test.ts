import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { versions } from "../../../artifacts";
import type { Result } from "../../../cli/verify-cloud/report";
import { hasState } from "../../../local/state";
import { ensureEngine, list, pickSubnet } from "../../../machines";
import { Account } from "../../../simulator/clouds/digitalocean/account";
import { itLong } from "../../takes-long";
import { root } from "../cluster";
import { runTold } from "../commands-running";
import { simulatedDigitalOcean } from "../simulated-digitalocean";
import { simulatedDomain, whatContainersNeed } from "../simulated-internet";

const name = "verifytest";

describe("tradewind verify-cloud on a simulated DigitalOcean", function () {
    this.timeout(900_000);
    let folder: string;
    let account: Account;
    let config: string;

    before(async () => {
        await ensureEngine();
        folder = mkdtempSync(join(tmpdir(), "tradewind-verify-"));
        const path = join(folder, "account.json");
        simulatedDigitalOcean.open(path);
        account = new Account(path);
        const vpcCidr = await pickSubnet(name, ["10.2.0.0/16", "10.3.0.0/16"]);
        const keys = {
            ...{ cloud: "digitalocean", domain: simulatedDomain, region: "fra1", vpcCidr },
            ...simulatedDigitalOcean.config,
            ...whatContainersNeed(name, versions.kubernetes),
        };
        const all = Object.fromEntries(Object.entries(keys).map(([key, value]) => [`tradewind:${key}`, value]));
        config = join(folder, "verify.yaml");
        writeFileSync(config, stringify({ config: all }));
    });
    after(async () => {
        if (hasState(name)) await verify("--destroy");
        rmSync(folder, { recursive: true, force: true });
    });

    const verify = (...more: string[]) => {
        const args = ["tradewind", "verify-cloud", "--cloud", "digitalocean", "--name", name, ...more];
        const env = { ...process.env, TRADEWIND_SIMULATED_ACCOUNT: account.path };
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
                ...["create", "ready", "API", "pod network", "DNS", "remove the checks"],
                ...["change a flag", "replace a node", "destroy"],
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
