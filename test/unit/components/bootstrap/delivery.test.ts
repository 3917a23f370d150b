import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import * as pulumi from "@pulumi/pulumi";
import type { Delivery } from "../../../../agents/bootstrap-sender/delivery";
import { resolveCluster } from "../../../../cluster/resolve";
import { deliverBootstrap } from "../../../../components/bootstrap/bootstrap";
import { type Deployed, deploy } from "../../deploy";
import { fakeCredentials } from "../in-cluster/fixture";
import { Created } from "../in-cluster/owned-in-cluster";
import { unpacked } from "../in-cluster/unpacked";

const clusterOf = (count: number, apiLoadBalancer = true) =>
    resolveCluster({ name: "c", domain: "example.com", controllers: { count }, apiLoadBalancer });
const credentials = fakeCredentials(clusterOf(3));

async function createAll(
    address: string,
    count = 3,
    apiLoadBalancer = true,
    outputs?: () => object,
): Promise<Deployed[]> {
    const program = () => {
        const first = { name: "c-controller-0", address: pulumi.output(address), resource: new Created("first") };
        const cluster = clusterOf(count, apiLoadBalancer);
        const known = { cluster, server: "https://203.0.113.7:6443", machineId: "i-1" };
        const args = { ...known, first, credentials: pulumi.output(credentials), console: { byHand: "look" } };
        return deliverBootstrap("c", args, { dependsOn: [first.resource] });
    };
    return (await deploy(program, { outputs })).resources;
}

async function create(address: string): Promise<Deployed> {
    return (await createAll(address)).find(({ name }) => name === "c-bootstrap")!;
}

const textsOf = (delivery: Delivery) =>
    delivery.assets.entries.map(({ contents = "" }) => Buffer.from(contents, "base64").toString()).join("\n");

const deliveryOf = ({ inputs }: Deployed): Delivery => JSON.parse(unpacked(inputs.stdin));

describe("the delivery of what starts a cluster", () => {
    it("shows the receiver the administrator's certificate, and expects one of the cluster's own CA", async () => {
        const { server, receiver, ca, cert, key } = deliveryOf(await create("10.0.0.11"));
        assert.deepEqual([server, receiver], ["https://203.0.113.7:6443", "bootstrap.c.example.com"]);
        const { kubernetesCa, admin } = credentials;
        assert.deepEqual([ca, cert, key], [kubernetesCa.cert, admin.cert, admin.key]);
    });

    it("expects the API's name on its certificate where it is reached by a controller's address", async () => {
        assert.equal(deliveryOf(await create("10.0.0.11")).apiName, undefined);
        const [started] = (await createAll("10.0.0.11", 3, false)).filter(({ name }) => name === "c-bootstrap");
        assert.equal(deliveryOf(started!).apiName, "api.c.example.com");
    });

    it("keeps a cluster to the domain that it was started with, and to its load balancer or to none", async () => {
        const there = (delivery: Partial<Delivery>) => () => ({
            stdin: gzipSync(JSON.stringify({ receiver: "bootstrap.c.example.com", ...delivery })).toString("base64"),
        });
        const [balanced, named] = [there({}), there({ apiName: "api.c.example.com" })];
        await createAll("10.0.0.11", 3, true, balanced);
        await createAll("10.0.0.11", 3, false, named);
        const refused =
            /^Error: apiLoadBalancer cannot be changed after creation \((is true, got false|is false, got true)\)$/;
        await assert.rejects(() => createAll("10.0.0.11", 3, false, balanced), refused);
        await assert.rejects(() => createAll("10.0.0.11", 3, true, named), refused);
        const elsewhere = there({ receiver: "bootstrap.c.example.org" });
        await assert.rejects(
            () => createAll("10.0.0.11", 3, true, elsewhere),
            /domain cannot be changed after creation \(is example\.org, got exam/,
        );
    });

    it("delivers the first controller's assets, which contain its address", async () => {
        assert.match(textsOf(deliveryOf(await create("10.0.0.11"))), /10\.0\.0\.11/);
        const moved = textsOf(deliveryOf(await create("10.9.9.9")));
        assert.match(moved, /10\.9\.9\.9/);
        assert.doesNotMatch(moved, /10\.0\.0\.11/);
    });

    it("is secret, runs after its machine exists, and is not repeated when its contents change", async () => {
        const { secretInputs, dependsOn, opts, inputs } = await create("10.0.0.11");
        assert.deepEqual([secretInputs, dependsOn, opts.ignoreChanges], [["stdin"], ["first"], ["stdin"]]);
        assert.doesNotMatch(inputs.create, /PRIVATE KEY/);
    });

    it("is repeated if the only controller is replaced, which continues with etcd's data or fails", async () => {
        const one = await createAll("10.0.0.11", 1);
        const restart = one.find(({ name }) => name === "c-restart")!;
        assert.deepEqual(restart.inputs.triggers, ["i-1"]);
        assert.deepEqual([restart.secretInputs, restart.opts.ignoreChanges], [["stdin"], undefined]);
        assert.deepEqual(restart.dependsOn, ["first", "c-bootstrap"]);
        assert.match(textsOf(deliveryOf(restart)), /--initial-cluster-state=existing/);
        const first = one.find(({ name }) => name === "c-bootstrap")!;
        assert.match(textsOf(deliveryOf(first)), /--initial-cluster-state=new/);
    });

    it("is made once to one of several, which joins the others", async () => {
        const three = await createAll("10.0.0.11", 3);
        assert.deepEqual(
            three.filter(({ name }) => name === "c-restart"),
            [],
        );
    });
});
