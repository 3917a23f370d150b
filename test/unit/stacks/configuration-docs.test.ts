import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { resolveCluster } from "../../../components/cluster/resolve";
import { localNetwork } from "../../../components/local/network";
import { checkConfigs } from "../../../components/nodes/check";
import { localConfig } from "../../../stacks/config";
import { etcdSnapshots } from "../../../stacks/etcd-snapshots";
import { downloads } from "../components/fixture";
import { keysOf, type Schema } from "./keys-of";

const text = readFileSync(resolve(__dirname, "../../../docs/configuration.md"), "utf8");
const example = Object.fromEntries(
    Object.entries(parse(/```yaml\n(.*?)```/s.exec(text)![1]!).config).map(([key, value]) => [
        key.replace(/^tradewind:/, ""),
        value,
    ]),
);

/** The keys that a value has, written in the same way. */
function keysIn(value: unknown, prefix = ""): string[] {
    if (Array.isArray(value)) return value.flatMap((each) => keysIn(each, `${prefix}[]`));
    if (value === null || typeof value !== "object") return [];
    return Object.entries(value).flatMap(([key, each]) => {
        const path = prefix ? `${prefix}.${key}` : key;
        return [path, ...keysIn(each, path)];
    });
}

describe("the documentation of the configuration", () => {
    const known = keysOf(z.toJSONSchema(localConfig, { io: "input" }) as Schema);
    const documented = [...text.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, key]) => key);

    it("has every key and no other", () => {
        // Of no use by itself: its parts are documented.
        const grouping = ["certificates", "components", "keys", "etcdSnapshots", "etcdSnapshots.s3", "osReboots"];
        assert.deepEqual(documented.sort(), known.filter((key) => !grouping.includes(key)).sort());
    });

    it("has an example of every key", () => {
        const shown = new Set(keysIn(example));
        assert.deepEqual(
            known.filter((key) => !shown.has(key)),
            [],
        );
    });

    it("has an example that makes a cluster", () => {
        const {
            pools,
            machineSubnet,
            podCidr,
            serviceCidr,
            clusterDomain,
            kubeProxyMode,
            etcdSnapshots: _,
            ...rest
        } = localConfig.parse(example);
        const network = { podCidr, serviceCidr, clusterDomain, kubeProxyMode };
        const { etcdSnapshots: snapshots } = etcdSnapshots(localConfig.parse(example));
        const cluster = resolveCluster({ ...rest, etcdSnapshots: snapshots, name: "c", workerPools: pools, network });
        checkConfigs(cluster, downloads);
        assert.equal(Object.keys(localNetwork(cluster, machineSubnet).machines).length, 6);
    });

    it("has the defaults of a cluster that is given none", () => {
        const { network, zone } = resolveCluster({ name: "c" });
        const defaults = Object.fromEntries(
            [...text.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|/gm)].map(([, key, value]) => [key, value]),
        );
        assert.equal(`c.${defaults.domain}`, zone);
        assert.equal(defaults.podCidr, network.podCidr.text);
        assert.equal(defaults.serviceCidr, network.serviceCidr.text);
        assert.equal(defaults.clusterDomain, network.clusterDomain);
        assert.equal(defaults.kubeProxyMode, network.kubeProxyMode);
        const local = localConfig.parse({ machineSubnet: "192.168.77.0/24" });
        assert.equal(defaults.cloud, local.cloud);
        assert.equal(defaults.keepsConntrackLimits, String(local.keepsConntrackLimits));
    });
});
