import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import {
    controllerRules,
    ingressRules,
    nodeRules,
    serviceRules,
} from "../../../components/digitalocean/firewall-rules";
import { resolveDigitalOcean } from "../../../components/digitalocean/resolve";
import { digitalOceanConfig, localConfig } from "../../../stacks/config";
import { documentedRules } from "./documented-rules";
import { keysOf, type Schema } from "./keys-of";

const root = resolve(__dirname, "../../..");
const text = readFileSync(resolve(root, "docs/digitalocean.md"), "utf8");
const rows = [...text.matchAll(/^\| `([^`]+)` +\| (?:`([^`]+)`)?/gm)].map(([, key, value]) => ({ key: key!, value }));
const keys = (schema: z.ZodType) => keysOf(z.toJSONSchema(schema, { io: "input" }) as Schema);

describe("the documentation of DigitalOcean", () => {
    it("has every key that is not on every cloud, and no other", () => {
        const elsewhere = keys(localConfig).filter((key) => !["os", "keepsConntrackLimits"].includes(key));
        const grouping = [
            "downloads",
            "downloads.kubelet",
            "downloads.cniPlugins",
            "ingress",
            "ingress.healthCheck",
        ].concat("cloudTokens", "snapshotSpace");
        const own = keys(digitalOceanConfig).filter((key) => !elsewhere.includes(key) && !grouping.includes(key));
        assert.deepEqual(rows.map(({ key }) => key).sort(), own.sort());
    });

    it("has the defaults", () => {
        const least = {
            domain: "example.com",
            region: "fra1",
            image: "17",
            sshKeys: ["42"],
            workerPools: [{ name: "a" }],
        };
        const { digitalOcean } = resolveDigitalOcean("c", least);
        const documented = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
        assert.equal(documented.os, digitalOcean.os);
        assert.equal(documented.vpcCidr, digitalOcean.vpcCidr.text);
        assert.equal(documented["controllers.size"], digitalOcean.sizes.controller);
        assert.equal(documented["pools[].size"], digitalOcean.sizes.a);
    });

    it("says what firewalls let in, and nothing that they do not", () => {
        const peers = { nodes: "every node", controllers: "controllers", loadBalancer: "the API's load balancer" };
        const ingress = { http: 80, https: 443, pools: ["a"] };
        const rules = {
            "every node": [...nodeRules(peers), ...serviceRules("the VPC")],
            controllers: controllerRules(peers),
            workers: ingressRules(ingress, "ingress' load balancer"),
        };
        const open = Object.entries(rules).flatMap(([to, all]) =>
            all.flatMap(({ protocol, portRange = "", ...sources }) =>
                (Object.values(sources) as string[][])
                    .flat()
                    .map((from) => `${to} ${from} ${protocol} ${portRange}`.trim()),
            ),
        );
        const table = /### What is let in\n\n(.*?)\n\n/s.exec(text)![1]!;
        const documented = documentedRules(table);
        assert.deepEqual(documented.sort(), open.sort());
    });

    it("has an example that makes a cluster", () => {
        const { config } = parse(readFileSync(resolve(root, "stacks/Pulumi.do-small.yaml"), "utf8"));
        const plain = Object.entries(config).map(([key, value]) => [key.replace(/^tradewind:/, ""), value]);
        const { cloud, pools, downloads, etcdSnapshots, ...rest } = digitalOceanConfig.parse(Object.fromEntries(plain));
        assert.equal(cloud, "digitalocean");
        const { cluster } = resolveDigitalOcean("do-small", { ...rest, workerPools: pools });
        assert.equal(cluster.controllers.isSchedulable, true);
        assert.equal(cluster.apiName, "api.do-small.example.com");
    });
});
