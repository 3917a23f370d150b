import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { resolveAws } from "../../../components/aws/resolve";
import { inbound, outbound } from "../../../components/aws/security-rules";
import { requireIngress } from "../../../components/cluster/ingress";
import { resolveCluster } from "../../../components/cluster/resolve";
import { awsConfig, localConfig } from "../../../stacks/config";
import { documentedRules } from "./documented-rules";
import { keysOf, type Schema } from "./keys-of";

const root = resolve(__dirname, "../../..");
const text = readFileSync(resolve(root, "docs/aws.md"), "utf8");
const rows = [...text.matchAll(/^\| `([^`]+)` +\| (?:`([^`]+)`)?/gm)].map(([, key, value]) => ({ key: key!, value }));
const keys = (schema: z.ZodType) => keysOf(z.toJSONSchema(schema, { io: "input" }) as Schema);

describe("the documentation of AWS", () => {
    it("has every key that is not on every cloud, and no other", () => {
        const elsewhere = keys(localConfig).filter((key) => key !== "keepsConntrackLimits");
        const grouping = ["downloads", "downloads.arm64", "ingress", "ingress.healthCheck"].concat(
            ["kubelet", "cniPlugins"].flatMap((each) => [`downloads.${each}`, `downloads.arm64.${each}`]),
            ["pools[].spot", "pools[].instanceRefresh"],
        );
        const own = keys(awsConfig).filter((key) => !elsewhere.includes(key) && !grouping.includes(key));
        assert.deepEqual(rows.map(({ key }) => key).sort(), own.sort());
    });

    it("has the defaults", () => {
        const least = { domain: "example.com", region: "eu-central-1" };
        const { aws } = resolveAws("c", { ...least, workerPools: [{ name: "a" }] });
        const documented = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
        assert.equal(documented.vpcCidr, aws.vpcCidr.text);
        assert.deepEqual([documented.topology, documented.natGateways], [aws.topology, aws.natGateways]);
        assert.equal(documented.apiAccess, aws.apiAccess);
        assert.deepEqual(
            [documented.image, aws.instances.controller!.image],
            ["flatcar-stable", { distribution: "flatcar", channel: "stable", option: "image" }],
        );
        assert.match(
            text,
            new RegExp(`^\\| \`zones\` +\\| ${aws.zones.map((zone) => `\`${zone}\``).join(", ")} `, "m"),
        );
        assert.equal(documented["controllers.etcdDiskSize"], String(aws.etcdDiskSize));
        for (const [key, pool] of [
            ["controllers", "controller"],
            ["pools[]", "a"],
        ] as const) {
            assert.equal(documented[`${key}.instanceType`], aws.instances[pool]!.instanceType);
            assert.equal(documented[`${key}.diskSize`], String(aws.instances[pool]!.diskSize));
        }
    });

    it("says what security groups let in, and nothing that they do not", () => {
        const table = /### What is let in\n\n(.*?)\n\n/s.exec(text)![1]!;
        const named: Record<string, string> = {
            "the load balancer": "load-balancer",
            "every node": "nodes",
            controllers: "controllers",
            workers: "workers",
            "the API's clients": "api-clients",
            "ingress' clients": "ingress-clients",
            endpoints: "endpoints",
        };
        const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });
        const all = inbound(requireIngress({}, cluster), { hasEndpoints: true, hasIpv6: true });
        const documented = documentedRules(table, (name) => String(named[name]));
        const open = Object.entries(all).flatMap(([group, rules]) =>
            Object.values(rules).map(({ protocol, ports, peer }) =>
                `${group} ${peer} ${protocol} ${[...new Set(ports)].join("-")}`.trim(),
            ),
        );
        assert.deepEqual(documented.sort(), open.sort());
        const { controllers, workers } = outbound(requireIngress({}, cluster));
        assert.deepEqual([controllers, workers], [{}, {}]);
    });

    it("has an example that makes a cluster", () => {
        const { config } = parse(readFileSync(resolve(root, "stacks/Pulumi.aws-small.yaml"), "utf8"));
        const { "aws:region": region, ...keyed } = config;
        const plain = Object.entries(keyed).map(([key, value]) => [key.replace(/^tradewind:/, ""), value]);
        const { cloud, pools, downloads, etcdSnapshots, ...rest } = awsConfig.parse(Object.fromEntries(plain));
        assert.equal(cloud, "aws");
        const { cluster } = resolveAws("aws-small", { ...rest, region, workerPools: pools });
        assert.equal(cluster.controllers.isSchedulable, true);
        assert.equal(cluster.apiName, "api.aws-small.example.com");
    });
});
