import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { protectingWhatLasts } from "../../../components/protection";
import { type Deployed, deploy } from "../deploy";

class Custom extends pulumi.CustomResource {}

class Team extends pulumi.ComponentResource {
    constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
        super("acme:index:Team", name, {}, opts);
    }
}

/** A cluster in miniature. */
class Cluster extends pulumi.ComponentResource {
    constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:Cluster", name, {}, protectingWhatLasts(opts));
        const parent = { parent: this };
        const vpc = new Custom("digitalocean:index/vpc:Vpc", "vpc", {}, parent);
        const inside = new Team("inside", parent);
        new Custom("digitalocean:index/volume:Volume", "volume", {}, { parent: inside });
        new Custom("digitalocean:index/droplet:Droplet", "droplet", {}, { parent: inside, dependsOn: vpc });
        const base = new Custom("kubernetes:core/v1:ConfigMap", "c/configmap/kube-system/coredns", {}, parent);

        new Custom(
            "kubernetes:apps/v1:Deployment",
            "c/deployment/kube-system/coredns",
            {},
            { ...parent, dependsOn: [base] },
        );
        new Custom("kubernetes:core/v1:Secret", "secret", {}, { ...parent, protect: true });
    }
}

const protectedIn = (resources: readonly Deployed[]) =>
    resources.filter(({ opts }) => opts.protect).map(({ name }) => name.split("/").at(-1)!);
const named = (resources: readonly Deployed[], end: string) => resources.find(({ name }) => name.endsWith(end))!;

describe("a protected cluster", () => {
    it("protects itself, what lasts, what a destroy deletes first, and what is protected explicitly", async () => {
        const { resources } = await deploy(() => new Cluster("c", { protect: true }));
        assert.deepEqual(protectedIn(resources).sort(), ["c", "coredns", "secret", "volume", "vpc"]);
    });

    it("deletes a protected resource first, which depends on all machines", async () => {
        const { resources } = await deploy(() => new Cluster("c", { protect: true }));
        assert.deepEqual([...new Set(named(resources, "deployment/kube-system/coredns").dependsOn)].sort(), [
            ...["c/configmap/kube-system/coredns", "droplet", "volume", "vpc"],
        ]);
    });

    it("is the same in a protected component", async () => {
        const { resources } = await deploy(() => new Cluster("c", { parent: new Team("team", { protect: true }) }));
        assert.deepEqual(protectedIn(resources).sort(), ["c", "coredns", "secret", "team", "volume", "vpc"]);
    });

    it("leaves an unprotected cluster as it is", async () => {
        const { resources } = await deploy(() => new Cluster("c"));
        assert.deepEqual(protectedIn(resources), ["secret"]);
        assert.deepEqual(named(resources, "deployment/kube-system/coredns").dependsOn, [
            "c/configmap/kube-system/coredns",
        ]);
    });
});
