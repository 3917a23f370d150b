import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import type { Schema } from "../../../cluster/check-shape";
import { resolveDigitalOcean } from "../../../components/digitalocean/resolve";
import { controllerRules, ingressRules, nodeRules, serviceRules } from "../../../components/digitalocean/security";
import { checkConfig } from "../../../stacks/check-config";
import type { DigitalOceanKeys as DigitalOceanKeysType } from "../../../stacks/digitalocean-keys";
import type { Read } from "../../../stacks/options";
import { programOptions } from "../../../stacks/program-options";
import { DigitalOceanKeys } from "../../../stacks/schema.json";
import { documentedRules } from "./documented-rules";

const root = resolve(__dirname, "../../..");
const text = readFileSync(resolve(root, "docs/digitalocean.md"), "utf8");

describe("the documentation of DigitalOcean", () => {
    it("lists exactly what firewalls allow in", () => {
        const nodes = { nodes: "every node", controllers: "controllers" };
        const apis = [{ loadBalancer: "the API's load balancer" }, { addresses: ["the API's clients"] }];
        const ingress = { http: 80, https: 443, pools: ["a"] };
        const rules = {
            "every node": [...nodeRules(nodes, { metrics: true, bgp: true }), ...serviceRules("the VPC")],
            controllers: apis.flatMap((api) => controllerRules({ ...nodes, api })),
            workers: [{ loadBalancer: "ingress' load balancer" }, { addresses: ["ingress' clients"] }].flatMap((from) =>
                ingressRules(ingress, from),
            ),
        };
        const open = Object.entries(rules).flatMap(([to, all]) =>
            all.flatMap(({ protocol, portRange = "", ...sources }) =>
                (Object.values(sources) as string[][])
                    .flat()
                    .map((from) => `${to} ${from} ${protocol} ${portRange}`.trim()),
            ),
        );
        const table = /### Allowed traffic\n\n(.*?)\n\n/s.exec(text)![1]!;
        const documented = documentedRules(table);
        assert.deepEqual(documented.sort(), [...new Set(open)].sort());
    });

    for (const name of ["do-small", "do-smallest"]) {
        it(`has an example that makes a cluster: ${name}`, () => {
            const { config } = parse(readFileSync(resolve(root, `stacks/Pulumi.${name}.yaml`), "utf8"));
            const plain = Object.entries(config).map(([key, value]) => [key.replace(/^tradewind:/, ""), value]);
            const { value, errors } = checkConfig(DigitalOceanKeys as Schema, Object.fromEntries(plain));
            assert.deepEqual(errors, []);
            const { cluster } = resolveDigitalOcean(name, programOptions(value as Read<DigitalOceanKeysType>));
            assert.equal(cluster.controllers.schedulable, true);
            assert.equal(cluster.apiLoadBalancer, name === "do-small");
            assert.equal(cluster.apiName, `api.${name}.example.com`);
        });
    }
});
