import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import type { Schema } from "../../../cluster/check-shape";
import { requireIngress } from "../../../cluster/network/ingress";
import { resolveCluster } from "../../../cluster/resolve";
import { inbound, outbound, type Rules } from "../../../components/aws/network/security-groups";
import { resolveAws } from "../../../components/aws/resolve";
import type { AwsKeys as AwsKeysType } from "../../../stacks/aws-keys";
import { checkConfig } from "../../../stacks/check-config";
import type { Read } from "../../../stacks/options";
import { programOptions } from "../../../stacks/program-options";
import { AwsKeys } from "../../../stacks/schema.json";
import { documentedRules } from "./documented-rules";

const root = resolve(__dirname, "../../..");
const text = readFileSync(resolve(root, "docs/aws.md"), "utf8");

const named: Readonly<Record<string, string>> = {
    "the load balancer": "load-balancer",
    "every node": "nodes",
    controllers: "controllers",
    workers: "workers",
    "the API's clients": "api-clients",
    "ingress' clients": "ingress-clients",
    endpoints: "endpoints",
    "any address": "everybody",
};

/** Rules of a table, in the form of the code. */
const documentedBelow = (place: RegExp) => documentedRules(place.exec(text)![1]!, (name) => String(named[name])).sort();

/** Name of a group, its peer, and the traffic. */
const listed = (all: Rules) =>
    Object.entries(all)
        .flatMap(([group, rules]) =>
            Object.values(rules).map(({ protocol, ports, peer }) =>
                `${group} ${peer} ${protocol} ${[...new Set(ports)].join("-")}`.trim(),
            ),
        )
        .sort();

describe("the documentation of AWS", () => {
    const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });

    it("lists exactly what security groups allow in", () => {
        const all = inbound(requireIngress({}, cluster), { hasEndpoints: true, ipv6: true, metrics: true, bgp: true });
        assert.deepEqual(documentedBelow(/### Allowed traffic\n\n(.*?)\n\n/s), listed(all));
    });

    it("lists exactly what security groups allow out", () => {
        const all = outbound(requireIngress({}, cluster));
        assert.deepEqual(documentedBelow(/Outbound traffic, apart from replies:\n\n(.*?)\n\n/s), listed(all));
    });

    it("has an example that makes a cluster", () => {
        const { config } = parse(readFileSync(resolve(root, "stacks/Pulumi.aws-small.yaml"), "utf8"));
        const { "aws:region": region, ...keyed } = config;
        const plain = Object.entries(keyed).map(([key, value]) => [key.replace(/^tradewind:/, ""), value]);
        const { value, errors } = checkConfig(AwsKeys as Schema, Object.fromEntries(plain));
        assert.deepEqual(errors, []);
        const { cluster } = resolveAws("aws-small", { ...programOptions(value as Read<AwsKeysType>), region });
        assert.equal(cluster.controllers.schedulable, true);
        assert.equal(cluster.apiName, "api.aws-small.example.com");
    });
});
