import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import {
    Server,
    ServerCredentials,
    type sendUnaryData,
    status,
    type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { BinaryWriter } from "google-protobuf";
import { listRuntimePods } from "../../../../clients/containerd/pods";
import { scratch } from "../../agents/checkpointer/example";

type Answer = Buffer | Error | "silence";

const raw = (value: Buffer) => value;
const method = (name: string) => ({
    path: `/runtime.v1.RuntimeService/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: raw,
    requestDeserialize: raw,
    responseSerialize: raw,
    responseDeserialize: raw,
});

/** A container runtime that uses the official gRPC library. */
async function serve(socket: string, answers: Record<"ListPodSandbox" | "ListContainers", Answer>): Promise<Server> {
    const server = new Server();
    const names = ["ListPodSandbox", "ListContainers"] as const;
    const handlers: UntypedServiceImplementation = Object.fromEntries(
        names.map((name) => [
            name,
            (_call: unknown, reply: sendUnaryData<Buffer>) => {
                const answer = answers[name];
                if (answer === "silence") return;
                answer instanceof Error
                    ? reply({ code: status.UNAVAILABLE, details: answer.message })
                    : reply(null, answer);
            },
        ]),
    );
    server.addService(Object.fromEntries(names.map((name) => [name, method(name)])), handlers);
    await new Promise<void>((resolve, reject) =>
        server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
            error ? reject(error) : resolve(),
        ),
    );
    return server;
}

type Fields = Record<number, string | number | Uint8Array | readonly Uint8Array[]>;

/** A message with some of its fields, and others unknown to the agent. */
function message(fields: Fields): Buffer {
    const writer = new BinaryWriter();
    for (const [key, value] of Object.entries(fields)) {
        const number = Number(key);
        if (typeof value === "string") writer.writeString(number, value);
        else if (typeof value === "number") writer.writeInt64(number, value);
        else if (value instanceof Uint8Array) writer.writeBytes(number, value);
        else for (const item of value) writer.writeBytes(number, item);
    }
    writer.writeString(90, "of a later version");
    writer.writeFixed64(91, 7);
    return Buffer.from(writer.getResultBuffer());
}

const entries = (map: Record<string, string>) =>
    Object.entries(map).map(([key, value]) => message({ 1: key, 2: value }));
const sandbox = (id: string, state: number) =>
    message({
        1: id,
        2: message({ 1: `pod-${id}`, 2: `uid-${id}`, 3: "kube-system" }),
        3: state,
        4: 1_760_000_000_000_000,
        5: entries({ "k8s-app": "käse" }),
        6: entries({ "tradewind.dev/checkpoint": "true" }),
    });
const container = (of: string, name: string, state: number) =>
    message({ 1: "c", 2: of, 3: message({ 1: name }), 6: state });

describe("the container runtime", () => {
    let folder: string;
    let server: Server | undefined;
    const socket = () => join(folder, "cri.sock");

    beforeEach(() => (folder = scratch()));
    afterEach(() => {
        server?.forceShutdown();
        server = undefined;
        rmSync(folder, { recursive: true });
    });

    it("reports running pods, and those that a power cut ended", async () => {
        const [ready, notReady, running, exited] = [0, 1, 1, 2];
        server = await serve(socket(), {
            ListPodSandbox: message({ 1: [sandbox("a", ready), sandbox("b", notReady), sandbox("c", notReady)] }),
            ListContainers: message({
                1: [
                    container("a", "one", running),
                    container("a", "two", exited),
                    container("b", "one", exited),
                    container("c", "left", running),
                ],
            }),
        });
        const pods = await listRuntimePods(socket());
        assert.deepEqual(
            pods.map(({ uid, isAlive, running }) => [uid, isAlive, running]),
            [
                ["uid-a", true, ["one"]],
                ["uid-b", false, []],
                ["uid-c", true, ["left"]],
            ],
        );
        const { name, namespace, labels, annotations } = pods[0]!;
        assert.deepEqual([name, namespace, labels], ["pod-a", "kube-system", { "k8s-app": "käse" }]);
        assert.deepEqual(annotations, { "tradewind.dev/checkpoint": "true" });
    });

    it("lists pods and containers in random order, but they are returned in the same one", async () => {
        const sandboxes = ["a", "b", "c"].map((id) => sandbox(id, 0));
        const containers = ["one", "two"].map((name) => container("b", name, 1));
        const answers = (lists: Record<"ListPodSandbox" | "ListContainers", Buffer[]>) => ({
            ListPodSandbox: message({ 1: lists.ListPodSandbox }),
            ListContainers: message({ 1: lists.ListContainers }),
        });
        const lists = { ListPodSandbox: sandboxes, ListContainers: containers };
        server = await serve(socket(), answers(lists));
        const first = await listRuntimePods(socket());
        server.forceShutdown();
        server = await serve(
            socket(),
            answers({ ListPodSandbox: [...sandboxes].reverse(), ListContainers: [...containers].reverse() }),
        );
        assert.deepEqual(await listRuntimePods(socket()), first);
        assert.deepEqual(first[1]?.running, ["one", "two"]);
    });

    it("may have no pods, which is not an error", async () => {
        server = await serve(socket(), { ListPodSandbox: Buffer.alloc(0), ListContainers: Buffer.alloc(0) });
        assert.deepEqual(await listRuntimePods(socket()), []);
    });

    it("refuses, which is an error with its message", async () => {
        server = await serve(socket(), { ListPodSandbox: new Error("not yet"), ListContainers: Buffer.alloc(0) });
        await assert.rejects(listRuntimePods(socket()), /ListPodSandbox: not yet/);
    });

    it("hangs, which is a timeout error", async function () {
        this.timeout(5_000);
        server = await serve(socket(), { ListPodSandbox: "silence", ListContainers: Buffer.alloc(0) });
        await assert.rejects(listRuntimePods(socket()), /ListPodSandbox: no answer in time/);
    });

    it("does not exist, which is an error", async () => {
        await assert.rejects(listRuntimePods(socket()), /ENOENT/);
    });
});
