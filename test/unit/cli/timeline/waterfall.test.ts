import assert from "node:assert/strict";
import { waterfallOf } from "../../../../cli/timeline/waterfall";
import { at, boot } from "./sample";

const groups = (run = boot()) =>
    waterfallOf(run, "c").groups.map(({ name, rows }) => [
        name,
        rows.map(({ label, start, seconds }) => [label, start, seconds]),
    ]);

describe("the waterfall of a run", () => {
    it("contains stages, operations on each node, and operations in the cluster", () => {
        assert.deepEqual(groups(), [
            [
                "npm start",
                [
                    ["preflight", 0, 0.1],
                    ["pulumi up", 0.1, 40],
                    ["ready", 40.1, 10],
                ],
            ],
            [
                "c-controller-0",
                [
                    ["machine created", 2, 3],
                    ["bootstrap", 6, 20],
                    ["wait-for-api", 8, 6],
                    ["Deployment etcd-join", 28, 2],
                ],
            ],
            [
                "c-default-0",
                [
                    ["machine created", 2, 3.5],
                    ["from joining to Ready", 20, 11],
                ],
            ],
            ["cluster", [["DaemonSet kube-proxy", 27, 5]]],
        ]);
    });

    it("contains the steps of existing nodes", () => {
        const steps = [
            { name: "c-default-0", step: "drained", at: at(5), seconds: 2 },
            { name: "c-default-0", step: "kubelet 1.36.3", at: at(7), seconds: 8 },
        ];
        const { groups: all } = waterfallOf(boot({ parts: {}, operations: [], nodes: [], steps }), "c");
        const { rows } = all.find(({ name }) => name === "c-default-0")!;
        assert.deepEqual(
            rows.map(({ label, start, seconds, kind }) => [label, start, seconds, kind]),
            [
                ["drained", 5, 2, "step"],
                ["kubelet 1.36.3", 7, 8, "step"],
            ],
        );
    });

    it("is a boot if the cluster was bootstrapped", () => {
        assert.equal(waterfallOf(boot(), "c").name, "Boot");
        assert.equal(waterfallOf(boot({ parts: {} }), "c").name, "Last change");
    });

    it("contains the number of changes, and of omitted rows", () => {
        const { changes, seconds, groups: all } = waterfallOf(boot(), "c");
        assert.equal(changes, "6 created");
        assert.equal(seconds, 50.1);
        assert.equal(all.at(-1)!.rest, "1 more, the longest 0.1 s");
    });

    it("is named after pulumi if nothing else is known", () => {
        const [first] = waterfallOf(boot({ stages: [boot().stages[1]!] }), "c").groups;
        assert.equal(first!.name, "pulumi");
    });

    it("omits when nodes joined that existed before", () => {
        const nodes = [{ name: "c-default-0", joined: at(-3600), ready: at(10) }];
        assert.deepEqual(groups(boot({ nodes }))[2], ["c-default-0", [["machine created", 2, 3.5]]]);
    });

    it("contains the longest rows, in order of start", () => {
        const operations = Array.from({ length: 40 }, (_, index) => ({
            name: `c/secret/x/${index}`,
            kind: "Secret",
            verb: "updated",
            at: at(40 - index),
            seconds: 1 + index / 10,
        }));
        const cluster = waterfallOf(boot({ operations }), "c").groups.at(-1)!;
        assert.equal(cluster.rows.length, 16);
        assert.deepEqual(
            cluster.rows.map(({ label }) => label),
            Array.from({ length: 16 }, (_, index) => `Secret ${39 - index}`),
        );
        assert.equal(cluster.rest, "24 more, the longest 3.3 s");
    });

    it("distinguishes nodes whose names have the same prefix", () => {
        const operation = (name: string) => ({ name, kind: "Command", verb: "created", at: at(1), seconds: 1 });
        const operations = ["c-blue-1", "c-blue-10", "c-controller-0"].map(operation);
        const names = waterfallOf(boot({ operations, parts: {}, nodes: [] }), "c").groups.map(({ name }) => name);
        assert.deepEqual(names, ["npm start", "c-controller-0", "c-blue-1", "c-blue-10"]);
    });

    it("contains cloud machines, and resources named after them", () => {
        const operation = (name: string, kind: string) => ({ name, kind, verb: "created", at: at(1), seconds: 1 });
        const operations = [
            operation("c-controller-0", "Instance"),
            operation("c-controller-0", "TargetGroupAttachment"),
            operation("c-default-0", "Droplet"),
            operation("c-public-0", "Subnet"),
        ];
        const run = boot({ operations, parts: {}, nodes: [] });
        assert.deepEqual(groups(run).slice(1), [
            [
                "c-controller-0",
                [
                    ["machine created", 1, 1],
                    ["TargetGroupAttachment created", 1, 1],
                ],
            ],
            ["c-default-0", [["machine created", 1, 1]]],
            ["cluster", [["Subnet c-public-0", 1, 1]]],
        ]);
    });
});
