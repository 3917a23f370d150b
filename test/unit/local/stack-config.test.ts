import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { checkConfig, machineCounts, mergeConfig, readConfig, writeConfig } from "../../../local/stack-config";
import { versions } from "../../../versions";

const made = mergeConfig("local", {}, {});

describe("the configuration of a new cluster", () => {
    it("stores every value, so that new defaults do not change it", () => {
        assert.deepEqual(made, {
            "tradewind:cloud": "local",
            "tradewind:kubernetesVersion": versions.kubernetes,
            "tradewind:etcdVersion": "3.6.8",
            "tradewind:os": "ignition",
            "tradewind:controllers": 1,
            "tradewind:workerPools": [{ name: "default", count: 1 }],
            "tradewind:podCidr": "10.2.0.0/16",
            "tradewind:serviceCidr": "10.3.0.0/16",
        });
    });

    it("is rejected if a cloud cluster has that name", () => {
        assert.throws(
            () => mergeConfig("c", { "tradewind:cloud": "digitalocean" }, {}),
            /^Error: --name must be a local cluster \(use npm run pulumi for clusters on digitalocean\) \(got c\)$/,
        );
    });

    it("is rejected before anything is created if it is inconsistent", () => {
        const config = mergeConfig("local", {}, { podCidr: "10.3.0.0/16" });
        assert.throws(() => checkConfig("local", config), {
            message: "network.serviceCidr must not overlap network.podCidr 10.3.0.0/16 (got 10.3.0.0/16)",
        });
    });

    it("has IPv6 networks if requested", () => {
        const chosen = { podCidr6: "fd00:10:2::/56", serviceCidr6: "fd00:10:3::/112" };
        const config = mergeConfig("local", {}, chosen);
        assert.equal(config["tradewind:podCidr6"], chosen.podCidr6);
        assert.equal(config["tradewind:serviceCidr6"], chosen.serviceCidr6);
        checkConfig("local", config);
        assert.throws(() => checkConfig("local", mergeConfig("local", {}, { podCidr6: chosen.podCidr6 })), {
            message: "network.podCidr6 requires network.serviceCidr6",
        });
        assert.throws(() => mergeConfig("local", config, { serviceCidr6: "fd00:10:4::/112" }), {
            message:
                "--service-cidr6 must be fd00:10:3::/112, with which the cluster local was created (got fd00:10:4::/112)",
        });
    });

    it("has candidates for controllers if requested, whatever else it says of them", () => {
        const config = mergeConfig("local", {}, { controllers: 3, workers: 2, candidates: true });
        assert.deepEqual(config["tradewind:controllers"], { count: 3, candidates: ["default"] });
        checkConfig("local", config);
        const kept = mergeConfig("local", config, { controllers: 1 });
        assert.deepEqual(kept["tradewind:controllers"], { count: 1, candidates: ["default"] });
        assert.deepEqual(mergeConfig("local", made, { candidates: true })["tradewind:controllers"], {
            count: 1,
            candidates: ["default"],
        });
        assert.throws(() => checkConfig("local", mergeConfig("local", {}, { workers: 0, candidates: true })), {
            message: "controllers.candidates[0] must not be a pool without nodes (got default)",
        });
    });

    it("has an arbiter and two controllers if requested, until it has another number", () => {
        const config = mergeConfig("local", {}, { arbiter: true });
        assert.deepEqual(config["tradewind:controllers"], { count: 2, arbiter: true });
        checkConfig("local", config);
        assert.deepEqual(mergeConfig("local", config, { workers: 2 })["tradewind:controllers"], {
            count: 2,
            arbiter: true,
        });
        assert.deepEqual(mergeConfig("local", config, { controllers: 3 })["tradewind:controllers"], { count: 3 });
        assert.deepEqual(mergeConfig("local", made, { arbiter: true })["tradewind:controllers"], {
            count: 2,
            arbiter: true,
        });
    });

    it("has the requested CNI, which can change", () => {
        const config = mergeConfig("local", {}, { cni: "none" });
        assert.equal(config["tradewind:cni"], "none");
        checkConfig("local", config);
        assert.throws(() => checkConfig("local", { ...config, "tradewind:networkPolicies": "enforced" }), {
            message: /^network\.networkPolicies conflicts with network\.cni none/,
        });
        assert.equal(mergeConfig("local", config, {})["tradewind:cni"], "none");
        assert.equal(mergeConfig("local", config, { cni: "flannel" })["tradewind:cni"], "flannel");
        assert.equal(mergeConfig("local", made, { cni: "kube-router" })["tradewind:cni"], "kube-router");
    });

    it("has the requested level", () => {
        const config = mergeConfig("local", {}, { level: "1-4" });
        assert.deepEqual(config["tradewind:selfHosted"], { etcd: true });
        checkConfig("local", config);
    });

    it("counts its machines", () => {
        assert.deepEqual(machineCounts(mergeConfig("local", {}, { controllers: 3, workers: 4 })), {
            controllers: 3,
            workers: 4,
        });
        assert.deepEqual(
            machineCounts({ "tradewind:controllers": { labels: {} }, "tradewind:workerPools": [{ name: "a" }] }),
            {
                controllers: 1,
                workers: 1,
            },
        );
    });
});

describe("the configuration of an existing cluster", () => {
    const existing = {
        ...made,
        "tradewind:controllers": { count: 1, schedulable: true },
        "tradewind:workerPools": [
            { name: "gpu", count: 2 },
            { name: "default", count: 1, labels: { a: "b" } },
            { name: "big" },
        ],
        "tradewind:machineCidr": "10.117.4.0/24",
        "tradewind:components": { etcd: { "quota-backend-bytes": "1" } },
    };

    it("is unchanged without options", () => {
        assert.deepEqual(mergeConfig("local", existing, {}), existing);
    });

    it("only changes given options, and keeps the order of pools, which determines addresses", () => {
        assert.deepEqual(mergeConfig("local", existing, { workers: 5, controllers: 3 }), {
            ...existing,
            "tradewind:controllers": { count: 3, schedulable: true },
            "tradewind:workerPools": [
                { name: "gpu", count: 2 },
                { name: "default", count: 5, labels: { a: "b" } },
                { name: "big" },
            ],
        });
    });

    it("switches to another level, and back to the default", () => {
        const etcd = mergeConfig("local", existing, { level: "1-4" });
        const kubelet = mergeConfig("local", etcd, { level: "0-4", workers: 2 });
        assert.deepEqual(kubelet["tradewind:selfHosted"], { kubelet: true, etcd: true });
        assert.deepEqual(mergeConfig("local", kubelet, {}), kubelet);
        assert.deepEqual(mergeConfig("local", etcd, { level: "2-4" }), existing);
    });

    it("gets a default pool at the end if it has none", () => {
        const config = { ...existing, "tradewind:workerPools": [{ name: "gpu" }] };
        assert.deepEqual(mergeConfig("local", config, { workers: 1 })["tradewind:workerPools"], [
            { name: "gpu" },
            { name: "default", count: 1 },
        ]);
    });

    const fixed: [object, string][] = [
        [
            { podCidr: "10.9.0.0/16" },
            "--pod-cidr must be 10.2.0.0/16, with which the cluster local was created (got 10.9.0.0/16)",
        ],
        [
            { serviceCidr: "10.9.0.0/16" },
            "--service-cidr must be 10.3.0.0/16, with which the cluster local was created (got 10.9.0.0/16)",
        ],
        [
            { podCidr6: "fd00:10:2::/56" },
            "--pod-cidr6 must not be set for the cluster local, which was created without it (got fd00:10:2::/56)",
        ],
        [{ os: "cloud-init" }, "--os must be ignition, with which the cluster local was created (got cloud-init)"],
        [
            { osLike: "ubuntu" },
            "--os-like must not be set for the cluster local, which was created without it (got ubuntu)",
        ],
    ];
    for (const [choice, message] of fixed) {
        it(`cannot change ${Object.keys(choice)}`, () => {
            assert.throws(() => mergeConfig("local", existing, choice), { message });
        });
    }

    it("is the same whether options are given one at a time or together", () => {
        const choices = fc.record({ controllers: fc.constantFrom(1, 3, 5), workers: fc.nat(9) }, { requiredKeys: [] });
        fc.assert(
            fc.property(choices, choices, (first, second) => {
                const stepwise = mergeConfig("local", mergeConfig("local", existing, first), second);
                assert.deepEqual(stepwise, mergeConfig("local", existing, { ...first, ...second }));
            }),
        );
    });
});

describe("the configuration file", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-config-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("is empty if missing", () => {
        assert.deepEqual(readConfig(join(folder, "none.yaml")), {});
    });

    it("can be read after writing, by its owner only", () => {
        const path = join(folder, "Pulumi.local.yaml");
        writeConfig(path, made);
        assert.deepEqual(readConfig(path), made);
        assert.equal(statSync(path).mode & 0o777, 0o600);
    });

    it("has numbers again after Pulumi stored them as text", () => {
        const path = join(folder, "Pulumi.local.yaml");
        writeFileSync(path, 'config:\n  tradewind:controllers: "3"\n  tradewind:kubernetesVersion: 1.36.3\n');
        assert.deepEqual(readConfig(path), { "tradewind:controllers": 3, "tradewind:kubernetesVersion": "1.36.3" });
    });

    it("has lists and maps again after Pulumi stored them as JSON, and keeps the JSON of what does not change", () => {
        const path = join(folder, "Pulumi.local.yaml");
        const pools = `tradewind:workerPools: '[{"name":"default","count":2}]'\r\n`;
        writeFileSync(path, `config:\r\n  ${pools}  tradewind:controllers: '{"count":1}'\r\n`);
        const config = readConfig(path);
        assert.deepEqual(mergeConfig("local", config, { workers: 3 })["tradewind:workerPools"], [
            { name: "default", count: 3 },
        ]);
        writeConfig(path, { ...config, "tradewind:controllers": { count: 3 } });
        const written = readFileSync(path, "utf8");
        assert.equal(written, `config:\r\n  ${pools}  tradewind:controllers:\r\n    count: 3\r\n`);
    });

    it("is named with the key and the value if it has another form", () => {
        const path = join(folder, "Pulumi.local.yaml");
        for (const [line, message] of [
            ["workerPools: 5", "workerPools must be a list of objects (got 5)"],
            ["workerPools: [null]", "workerPools must be a list of objects (got [null])"],
            ["workerPools: { count: 1 }", 'workerPools must be a list of objects (got {"count":1})'],
            ["controllers: three", 'controllers must be a number or an object (got "three")'],
            ["controllers: [1]", "controllers must be a number or an object (got [1])"],
            ["controllers:", "controllers must be a number or an object (got null)"],
        ]) {
            writeFileSync(path, `config:\n  tradewind:${line}\n`);
            assert.throws(() => readConfig(path), { message: `${path}: tradewind:${message}` });
        }
    });

    it("is named, but not quoted, if it is no YAML", () => {
        const path = join(folder, "Pulumi.local.yaml");
        writeFileSync(path, 'config:\n  a: hunter2 "b"\n  c: [\n');
        assert.throws(
            () => readConfig(path),
            /^Error: .*Pulumi\.local\.yaml must be valid YAML: [^\n]* at line \d+, [^\n]*$/,
        );
    });

    it("keeps comments, anchors, merge keys and a byte order mark's file when a value changes", () => {
        const path = join(folder, "Pulumi.local.yaml");
        const text = `# the lab of team x
encryptionsalt: v1:abc
config:
  # three, for quorum
  tradewind:controllers: "3" # since May
  tradewind:workerPools:
    # the big ones
    - &pool
      name: default
      count: 2 # two zones
    - <<: *pool
      name: spare
  tradewind:os: ignition
`;
        writeFileSync(path, `\uFEFF${text}`);
        const config = readConfig(path);
        assert.deepEqual(config["tradewind:workerPools"], [
            { name: "default", count: 2 },
            { name: "spare", count: 2 },
        ]);
        writeConfig(path, config);
        assert.equal(readFileSync(path, "utf8").replace("\uFEFF", ""), text);

        writeConfig(path, { ...config, "tradewind:controllers": 5, "tradewind:cni": "none" });
        const changed = text.replace('"3"', "5").replace("ignition\n", "ignition\n  tradewind:cni: none\n");
        assert.equal(readFileSync(path, "utf8").replace("\uFEFF", ""), changed);
    });

    it("is written whatever changes below an anchor", () => {
        const path = join(folder, "Pulumi.local.yaml");
        const text = "config:\n  a: &a\n    x: 1\n    y: 2\n  b: *a\n  c:\n    <<: *a\n    z: 3\n";
        for (const config of [
            { b: { x: 1, y: 2 } },
            { a: { x: 5, y: 2 }, b: { x: 1, y: 2 } },
            { a: { x: 1, y: 2 }, b: { x: 1 }, c: { z: 3 } },
            { c: { x: 1, y: 2, z: 3 } },
        ]) {
            writeFileSync(path, text);
            writeConfig(path, config);
            assert.deepEqual(readConfig(path), config);
        }
    });

    it("keeps the salt of the encryption", () => {
        const path = join(folder, "Pulumi.local.yaml");
        writeFileSync(path, "encryptionsalt: v1:abc\nconfig:\n  tradewind:os: ignition\n");
        writeConfig(path, made);
        assert.equal(parse(readFileSync(path, "utf8")).encryptionsalt, "v1:abc");
    });
});
