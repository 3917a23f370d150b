import assert from "node:assert/strict";
import { NodeCleaner, pauseAfter } from "../../../../../agents/nodes/cleaner/cleaner";
import { Ec2Error } from "../../../../../clients/aws/ec2-instances";
import type { ApiClient, Call } from "../../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../../clients/kubernetes/api-error";

const plan = {
    apiServer: "https://127.0.0.1:6443",
    ec2: "https://ec2.eu-central-1.amazonaws.com",
    region: "eu-central-1",
    namePattern: "^i-[0-9]+$",
    controllerLabel: "controller",
};

describe("node-cleaner", () => {
    /** Whether each node is Ready, by name. */
    let nodes: Record<string, boolean>;
    let states: Record<string, string> | Error;
    let refusal: Error | undefined;
    let now: number;
    let asked: string[][];
    let deleted: { name: string; preconditions: object }[];
    let events: { reason: string; message: string }[];
    let said: string[];
    let cleaner: NodeCleaner;

    const call = async (path: string, { method = "GET", body }: Call = {}) => {
        if (path.endsWith("/events")) {
            const { reason, message } = body as { reason: string; message: string };
            events.push({ reason, message });
        } else if (method === "DELETE") {
            if (refusal) throw refusal;
            const name = path.split("/").at(-1)!;
            deleted.push({ name, preconditions: (body as { preconditions: object }).preconditions });
            delete nodes[name];
        }
        const items = Object.entries(nodes).map(([name, isReady]) => ({
            metadata: { name, uid: `uid-${name}`, resourceVersion: "7" },
            status: { conditions: [{ type: "Ready", status: isReady ? "True" : "Unknown" }] },
        }));
        return { items };
    };
    const observe = async (seconds = 10) => {
        now += seconds;
        await cleaner.reconcile();
    };

    beforeEach(() => {
        [nodes, states, refusal, now] = [
            { "i-1": false, "i-2": true },
            { "i-1": "terminated", "i-2": "running" },
            undefined,
            0,
        ];
        [asked, deleted, events, said] = [[], [], [], []];
        cleaner = new NodeCleaner({
            // Without watches it lists the nodes each time.
            api: { call, watch: () => Promise.reject(new ApiError(403, "no")) } as unknown as ApiClient,
            plan,
            statesOf: async (ids) => {
                asked.push([...ids]);
                if (states instanceof Error) throw states;
                return new Map(Object.entries(states));
            },
            log: (line) => said.push(line),
            clock: () => now,
        });
    });

    it("deletes the unchanged node of a terminated instance, and reports it", async () => {
        await observe();
        await observe(20);
        assert.deepEqual(asked, [["i-2"]]);
        await observe();
        assert.deepEqual(asked.slice(1), [["i-1"]]);
        assert.deepEqual(deleted, [{ name: "i-1", preconditions: { uid: "uid-i-1", resourceVersion: "7" } }]);
        assert.deepEqual(said, ["deleted i-1: i-1 is terminated"]);
        assert.deepEqual(
            events.map(({ reason }) => reason),
            ["DeletedNode"],
        );
    });

    it("restarts the count if a node was back in the meantime", async () => {
        await observe();
        nodes["i-1"] = true;
        await observe(20);
        nodes["i-1"] = false;
        await observe(20);
        assert.ok(!asked.flat().includes("i-1"));
    });

    it("leaves Ready nodes alone whose instances run", async () => {
        for (let round = 0; round < 80; round++) await observe();
        assert.deepEqual(Object.keys(nodes), ["i-2"]);
        assert.equal(asked.filter((ids) => ids.includes("i-2")).length, 3);
    });

    it("deletes a node that reports itself as Ready if its instance is terminated", async () => {
        states = { "i-1": "running", "i-2": "terminated" };
        await observe();
        assert.deepEqual(Object.keys(nodes), ["i-1"]);
        assert.deepEqual(said, ["deleted i-2: i-2 is terminated"]);
    });

    it("deletes a Ready node that is no instance, once EC2 has said so twice", async () => {
        nodes = { "i-2": true, "i-999": true };
        for (let round = 0; round < 30; round++) await observe();
        assert.deepEqual(deleted, []);
        await observe();
        assert.deepEqual(said, ["deleted i-999: i-999 is unknown to EC2"]);
        assert.deepEqual(Object.keys(nodes), ["i-2"]);
    });

    it("keeps a Ready node that EC2 lists again", async () => {
        nodes = { "i-2": true };
        for (const round of [{}, { "i-2": "running" }, {}]) {
            states = round as Record<string, string>;
            await observe(300);
        }
        assert.deepEqual(deleted, []);
    });

    it("deletes no Ready node while EC2 does not answer", async () => {
        nodes = { "i-999": true };
        states = new Error("timeout");
        for (let round = 0; round < 100; round++) await observe();
        assert.deepEqual(deleted, []);
        assert.deepEqual(said, ["cannot query EC2 for the state of instances: timeout"]);
    });

    it("queries EC2 less and less often while it refuses, reports that once and on the node too, and deletes nothing", async () => {
        states = new Ec2Error("ec2 answers 403 UnauthorizedOperation: You are not authorized.");
        for (let round = 0; round < 40; round++) await observe();
        assert.equal(asked.length, 4);
        const why = `cannot query EC2 for the state of instances: ${states.message}`;
        assert.deepEqual([said, events], [[why], [{ reason: "InstanceUnknown", message: why }]]);
        assert.deepEqual(deleted, []);

        states = { "i-1": "terminated" };
        await observe(600);
        assert.equal(deleted.length, 1);
    });

    it("leaves a node that changed in the meantime to the next reconcile", async () => {
        refusal = new ApiError(409, "the UID in the precondition does not match");
        await observe();
        await observe(30);
        assert.match(said.join(), /^cannot delete i-1 yet: 409/);
        refusal = undefined;
        await observe();
        assert.equal(deleted.length, 1);
    });

    it("accepts that a node was already deleted", async () => {
        refusal = new ApiError(404, "not found");
        await observe();
        await observe(30);
        assert.deepEqual([said, events], [[], []]);
    });

    it("pauses for ten minutes at most", () =>
        assert.deepEqual([1, 2, 5, 6, 99].map(pauseAfter), [30, 60, 480, 600, 600]));
});
