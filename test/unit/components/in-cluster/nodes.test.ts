import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { resolveCluster } from "../../../../cluster/resolve";
import { NodeRemoval } from "../../../../components/in-cluster/nodes";
import { type Deployed, deploy } from "../../deploy";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

async function create(workers: number): Promise<Deployed[]> {
    const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a", count: workers }] });
    const controllers = [{ name: "c-controller-0", address: pulumi.output("10.0.0.11") }];
    const { resources } = await deploy(
        () =>
            new NodeRemoval("c", {
                cluster,
                controllers,
                loadBalancer: new Created("load balancer"),
                admitted: new Created("admitted"),
                ...ownership(),
            }),
    );
    return objectsOf(resources);
}

const ofKind = (objects: readonly Deployed[], kind: string) => objects.find(({ type }) => type.endsWith(`:${kind}`))!;

describe("the removal of nodes", () => {
    it("is last: after its permissions, its plan and the load balancer, which a controller must leave first", async () => {
        const objects = await create(1);
        const job = ofKind(objects, "Job");
        const others = objects.filter((each) => each !== job).map(({ name }) => name);
        assert.deepEqual([...job.dependsOn].sort(), [...others, "admitted", "load balancer"].sort());
    });

    it("is repeated under the same name only if the nodes change", async () => {
        const [one, same, two] = [await create(1), await create(1), await create(2)].map((objects) =>
            ofKind(objects, "Job"),
        ) as [Deployed, Deployed, Deployed];
        assert.equal(one.opts.deleteBeforeReplace, true);
        assert.deepEqual(one.inputs, same.inputs);
        assert.notDeepEqual(one.inputs.spec.template, two.inputs.spec.template);
        assert.equal(one.inputs.metadata.name, two.inputs.metadata.name);
    });

    it("accepts controller addresses that are known late", async () => {
        const { data } = (await create(1)).find(({ name }) =>
            name.endsWith("/configmap/kube-system/node-removal"),
        )!.inputs;
        assert.match(JSON.stringify(data), /10\.0\.0\.11/);
    });
});
