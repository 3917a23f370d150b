import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { readChosen, replacing, reportable, smallest } from "../../../../cli/verify-cloud/config";
import type { Schema } from "../../../../cluster/check-shape";
import { checkConfig } from "../../../../stacks/check-config";
import { AwsKeys, DigitalOceanKeys } from "../../../../stacks/schema.json";

describe("the configuration of tradewind verify-cloud", () => {
    let folder: string;
    const write = (config: object) => {
        const path = join(folder, "mine.yaml");
        writeFileSync(path, stringify({ config }));
        return path;
    };
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-verify-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("is the given one, with one controller and one worker", () => {
        const given = {
            "tradewind:cloud": "digitalocean",
            "tradewind:domain": "example.com",
            "tradewind:controllers": { count: 3, size: "s-2vcpu-4gb" },
            "tradewind:workerPools": [
                { name: "a", count: 5, size: "s-4vcpu-8gb", taints: ["batch=true:NoSchedule"], min: 2 },
                { name: "b" },
            ],
        };
        assert.deepEqual(readChosen(write(given), "digitalocean"), {
            ...given,
            "tradewind:controllers": { count: 1, size: "s-2vcpu-4gb" },
            "tradewind:workerPools": [{ name: "verify", count: 1, size: "s-4vcpu-8gb" }],
        });
        const [pool] = smallest(given, 11)["tradewind:workerPools"] as [{ count: number }];
        assert.equal(pool.count, 11);
        assert.deepEqual(smallest({ "tradewind:controllers": 3 })["tradewind:controllers"], { count: 1 });
    });

    it("is legal in each of its steps", () => {
        for (const [cloud, file, keys] of [
            ["aws", "aws-small", AwsKeys],
            ["digitalocean", "do-small", DigitalOceanKeys],
        ] as const) {
            const first = readChosen(resolve(__dirname, `../../../../stacks/Pulumi.${file}.yaml`), cloud);
            const next = { ...first, ...replacing(first, cloud, "verify") };
            for (const config of [first, next]) {
                const own = Object.entries(config).flatMap(([key, value]) =>
                    key.startsWith("tradewind:") ? [[key.slice("tradewind:".length), value]] : [],
                );
                assert.deepEqual(checkConfig(keys as Schema, Object.fromEntries(own)).errors, []);
            }
            const [pool] = next["tradewind:workerPools"] as { snippets: string[]; instanceRefresh?: object }[];
            // Otherwise an Auto Scaling group keeps its instances.
            assert.deepEqual(pool!.instanceRefresh, cloud === "aws" ? { warmup: "1m" } : undefined);
            assert.equal(JSON.parse(pool!.snippets[0]!).storage.files[0].path, "/etc/tradewind-verified");
            const isListed = cloud === "digitalocean" ? ["verify-verify-0"] : undefined;
            assert.deepEqual(next["tradewind:recreate"], isListed);
        }
    });

    it("is refused for another cloud, if it does not exist, or if it has encrypted values", () => {
        const of = (config: object) => () => readChosen(write(config), "aws");
        assert.throws(of({}), /^UsageError: --config must be .* tradewind:cloud: aws \(got none$|got none\)$/);
        assert.throws(of({ "tradewind:cloud": "digitalocean" }), /tradewind:cloud: aws \(got digitalocean\)$/);
        assert.throws(() => readChosen(join(folder, "gone"), "aws"), /--config must be a readable file \(got /);
        const sealed = { "tradewind:cloud": "aws", "aws:secretKey": { secure: "v1:x" } };
        assert.throws(of(sealed), /no encrypted values \(got aws:secretKey\): set credentials in the environment$/);
    });

    it("is reported without the domain, tokens, keys and files", () => {
        const config = {
            "aws:region": "eu-central-1",
            "aws:accessKey": "AKIA",
            "tradewind:cloud": "aws",
            "tradewind:domain": "acme.example",
            "tradewind:cloudTokens": { csiDriver: "t" },
            "tradewind:sshKeys": ["42"],
            "tradewind:controllers": { count: 1 },
        };
        const shown = ["aws:region", "tradewind:cloud", "tradewind:controllers"];
        assert.deepEqual(Object.keys(reportable(config)), shown);
    });
});
