import assert from "node:assert/strict";
import type { DigitalOceanClusterArgs } from "../../../../components/digitalocean/cluster";
import type { Deployed } from "../../deploy";
import { decoded } from "../in-cluster/fixture";
import { deployDigitalOcean } from "./deploy-digitalocean";

const asked = {
    cloudController: true,
    csiDriver: true,
    cloudTokens: { cloudController: "dop_v1_controller", csiDriver: "dop_v1_volumes" },
};

describe("a cluster on DigitalOcean with DigitalOcean's own controllers", function () {
    this.timeout(60_000);
    const create = async (options: Partial<DigitalOceanClusterArgs>) => (await deployDigitalOcean(options)).resources;
    const named = (resources: readonly Deployed[], name: string) => resources.find((each) => each.name === name)!;

    it("has their token in a Secret that is one in the state, and nowhere else", async () => {
        const resources = await create(asked);
        const secret = named(resources, "c/secret/kube-system/cloud-controller-manager-token");
        assert.deepEqual(secret.secretInputs, ["data"]);
        assert.deepEqual(decoded(secret.inputs as never), { token: "dop_v1_controller", vpcId: "c-id" });
        const other = named(resources, "c/secret/kube-system/do-csi-controller-token");
        assert.deepEqual(other.secretInputs, ["data"]);
        assert.deepEqual(decoded(other.inputs as never), { token: "dop_v1_volumes" });
        const encoded = ["dop_v1_controller", "dop_v1_volumes"].map((text) => Buffer.from(text).toString("base64"));
        const rest = resources.filter((each) => each !== secret && each !== other).map(({ inputs }) => inputs);
        assert.doesNotMatch(JSON.stringify(rest), new RegExp(`dop_v1_|${encoded.join("|")}`));
        const deployment = named(resources, "c/deployment/kube-system/cloud-controller-manager");
        assert.ok(deployment.dependsOn.includes(secret.name));
    });

    it("opens node ports to its own VPC", async () => {
        const { inputs } = named(await create(asked), "c-services");
        const rules = inputs.inboundRules as { sourceAddresses: string[]; portRange: string; protocol: string }[];
        assert.deepEqual(
            rules.map(({ protocol, portRange, sourceAddresses }) => `${protocol} ${portRange} ${sourceAddresses}`),
            ["tcp 30000-32767", "udp 30000-32767", "tcp 10256"].map((each) => `${each} 172.24.0.0/20`),
        );
    });

    it("has none of them by default", async () => {
        const resources = await create({});
        assert.ok(
            resources.every(({ type, name }) => !/CloudAddons|c-services|cloud-controller|csi/.test(type + name)),
        );
        const droplets = resources.filter(({ type }) => type.endsWith(":Droplet"));
        assert.ok(droplets.every(({ inputs }) => !JSON.stringify(inputs.userData).includes("cloud-identity")));
    });

    it("repairs machines with a token of its own, which only its Secret has", async () => {
        const resources = await create({ repair: {}, cloudTokens: { repair: "dop_v1_repair" } });
        const encoded = Buffer.from("dop_v1_repair").toString("base64");
        const holders = resources.filter(
            ({ inputs }) => /dop_v1_repair/.test(JSON.stringify(inputs)) || JSON.stringify(inputs).includes(encoded),
        );
        assert.deepEqual(
            holders.map(({ name }) => name),
            ["c/secret/kube-system/node-repairer-token"],
        );
        await assert.rejects(create({ repair: {} }), /repair requires cloudTokens\.repair/);
    });

    it("is refused without its token", async () => {
        await assert.rejects(
            create({ cloudController: true }),
            /cloudController requires cloudTokens\.cloudController/,
        );
    });
});
