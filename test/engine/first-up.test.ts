import assert from "node:assert/strict";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { manifestKey } from "../../cluster/manifest";
import { configMap } from "../../cluster/manifests/objects";
import { stackObjects } from "../../cluster/manifests/stack-objects";
import { resolveCluster } from "../../cluster/resolve";
import { UpgradeOrder } from "../../cluster/upgrades/order";
import { createBootstrap } from "../../components/bootstrap/bootstrap";
import { kubernetesObject } from "../../components/in-cluster/kubernetes-object";
import { ClusterProvider } from "../../components/rollout/cluster-provider";
import { whenUpgradable } from "../../components/upgrade/guard";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { ApiServer } from "./apiserver";
import { failingUp, preview, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

class Owner extends pulumi.ComponentResource {
    constructor() {
        super("test:index:Owner", "c");
    }
}

describe("the first `up` of a cluster", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;
    let isKilled = false;
    /** For each run, whether the add-ons waited for the control plane. */
    let waited: boolean[] = [];

    const program = async () => {
        const { pivot, isNew } = createBootstrap("c", { command: "true", input: "keys" }, {});
        const kubeconfig = pulumi.output(api.kubeconfig);
        // Its checks find no control plane in this API.
        const access = { kubeconfig, lacksIssuer: Promise.resolve(false), isApiLost: true, isNew };
        const upgradable = whenUpgradable(resolveCluster({ name: "c" }), access, pivot, new Owner());
        const order = new UpgradeOrder<pulumi.Resource>(upgradable.goesBack, upgradable.isNew);
        const provider = new ClusterProvider("c", {
            kubeconfig: pulumi.secret(upgradable.kubeconfig),
            clusterIdentifier: "c",
            upsertExistingObjects: true,
        });
        const put = (name: string, opts: pulumi.CustomResourceOptions) =>
            kubernetesObject("c", configMap(name, {}), { provider, ...opts });
        order.add("controllers", put("control-plane", {}));
        const before = order.before("addons").then((parts) => {
            waited.push(parts.length > 0);
            return [...parts];
        });
        const addons = put("addons", { dependsOn: before });
        if (isKilled) new local.Command("killed", { create: "false" }, { dependsOn: addons });
        else kubernetesObject("c", stackObjects([]), { provider, dependsOn: addons });
    };

    /** What the add-ons depend on in the state. */
    const recorded = (state: string): string[] => {
        const { resources } = JSON.parse(state).checkpoint.latest as {
            resources: { urn: string; dependencies?: [] }[];
        };
        const name = manifestKey(configMap("addons", {}));
        return resources.find(({ urn }) => urn.endsWith(name))?.dependencies ?? [];
    };

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start(), Engine.start()]);
    });

    beforeEach(() => {
        waited = [];
    });

    after(async () => {
        engine?.stop();
        await api?.stop();
    });

    it("adopts everything at the same time if it started the cluster, and in order after it was killed", async () => {
        const stack = await engine.stack(program);
        await preview(stack, program);
        isKilled = true;
        await failingUp(stack, program);
        isKilled = false;
        await up(stack, program);
        assert.deepEqual(waited, [true, false, true]);
    });

    it("is followed by one that changes nothing, but records the order of upgrades", async () => {
        await api.cluster.delete(stackObjects([]) as unknown as KubernetesObject, "Background");
        const stack = await engine.stack(program);
        await up(stack, program);
        assert.equal(recorded(engine.stateOf(stack)).length, 0);
        assert.deepEqual((await up(stack, program)).changes, {});
        assert.deepEqual(waited, [false, true]);
        assert.match(recorded(engine.stateOf(stack)).join(), /control-plane/);
    });

    it("is not one that only runs the bootstrap again", async () => {
        const stack = await engine.stack(program);
        await up(stack, program);
        assert.deepEqual(waited, [true]);
    });
});
