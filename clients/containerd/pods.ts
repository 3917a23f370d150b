import { BinaryReader } from "google-protobuf";
import { callUnary } from "./grpc";

/** The used fields of a pod sandbox. Source of the field numbers: k8s.io/cri-api, runtime/v1/api.proto. */
interface Sandbox {
    readonly id: string;
    readonly name: string;
    readonly uid: string;
    readonly namespace: string;
    readonly isReady: boolean;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
}

/** The used fields of a container. */
interface RuntimeContainer {
    readonly sandboxId: string;
    readonly name: string;
    readonly isRunning: boolean;
}

const sandboxReady = 0;
const containerRunning = 1;

/** The sandboxes of a ListPodSandboxResponse. */
function decodeSandboxes(message: Uint8Array): Sandbox[] {
    return (fields(message)[1] ?? []).map((item) => {
        const sandbox = fields(item as Uint8Array);
        const metadata = fields(bytes(sandbox[2]));
        return {
            id: text(sandbox[1]),
            name: text(metadata[1]),
            uid: text(metadata[2]),
            namespace: text(metadata[3]),
            isReady: number(sandbox[3]) === sandboxReady,
            labels: map(sandbox[5]),
            annotations: map(sandbox[6]),
        };
    });
}

/** The containers of a ListContainersResponse. */
function decodeContainers(message: Uint8Array): RuntimeContainer[] {
    return (fields(message)[1] ?? []).map((item) => {
        const container = fields(item as Uint8Array);
        return {
            sandboxId: text(container[2]),
            name: text(fields(bytes(container[3]))[1]),
            isRunning: number(container[6]) === containerRunning,
        };
    });
}

type Values = readonly (Uint8Array | number)[];

/** All fields by number: bytes of messages and strings, numbers of varints. Other types are not needed. */
function fields(message: Uint8Array): Record<number, Values | undefined> {
    const found: Record<number, (Uint8Array | number)[]> = {};
    const reader = new BinaryReader(message);
    while (reader.nextField()) {
        const values = found[reader.getFieldNumber()] ?? [];
        found[reader.getFieldNumber()] = values;
        if (reader.isDelimited()) {
            values.push(reader.readBytes());
        } else if ((reader.getWireType() as number) === 0) {
            values.push(reader.readInt64());
        } else {
            reader.skipField();
        }
    }
    return found;
}

/** The last value wins, and a missing field has its type's zero value, as in proto3. */
const bytes = (values: Values = []): Uint8Array => (values.at(-1) as Uint8Array | undefined) ?? new Uint8Array();
const text = (values?: Values): string => Buffer.from(bytes(values)).toString("utf8");
const number = (values: Values = []): number => (values.at(-1) as number | undefined) ?? 0;

function map(values: Values = []): Record<string, string> {
    return Object.fromEntries(
        values.map((entry) => {
            const pair = fields(entry as Uint8Array);
            return [text(pair[1]), text(pair[2])];
        }),
    );
}

/** A pod as reported by the container runtime. */
export interface RuntimePod extends Omit<Sandbox, "id" | "isReady"> {
    /** Its sandbox is ready or a container is running; neither is true after a power cut. */
    readonly isAlive: boolean;
    /** Names of its running containers. */
    readonly running: readonly string[];
}

const timeoutMilliseconds = 2_000;

/**
 * All pods of the container runtime, including stopped ones. Pods and containers are sorted: containerd lists them in
 * random order.
 *
 * @throws if the runtime does not answer
 */
export async function listRuntimePods(socket: string): Promise<RuntimePod[]> {
    const call = (method: string) =>
        callUnary(socket, `/runtime.v1.RuntimeService/${method}`, new Uint8Array(), timeoutMilliseconds);
    const [sandboxes, containers] = await Promise.all([call("ListPodSandbox"), call("ListContainers")]);
    const all = decodeContainers(containers);
    const sorted = decodeSandboxes(sandboxes).sort((one, other) => (one.id < other.id ? -1 : 1));
    return sorted.map(({ id, isReady, ...sandbox }) => {
        const running = all.filter(({ sandboxId, isRunning }) => sandboxId === id && isRunning).map(({ name }) => name);
        return { ...sandbox, running: running.sort(), isAlive: isReady || running.length > 0 };
    });
}
