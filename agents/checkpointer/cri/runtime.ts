import { callUnary } from "./grpc";
import { decodeContainers, decodeSandboxes, type Sandbox } from "./messages";

/** A pod as the container runtime has it. */
export interface RuntimePod extends Omit<Sandbox, "id" | "isReady"> {
    /** Its sandbox is up, or a container of it runs. What a power cut ended is neither. */
    readonly isAlive: boolean;
    /** Names of its running containers. */
    readonly running: readonly string[];
}

const timeoutMilliseconds = 2_000;

/** The pods that the container runtime has, dead ones among them; an error if it does not say. */
export async function listRuntimePods(socket: string): Promise<RuntimePod[]> {
    const call = (method: string) =>
        callUnary(socket, `/runtime.v1.RuntimeService/${method}`, new Uint8Array(), timeoutMilliseconds);
    const [sandboxes, containers] = await Promise.all([call("ListPodSandbox"), call("ListContainers")]);
    const all = decodeContainers(containers);
    return decodeSandboxes(sandboxes).map(({ id, isReady, ...sandbox }) => {
        const running = all.filter(({ sandboxId, isRunning }) => sandboxId === id && isRunning).map(({ name }) => name);
        return { ...sandbox, running, isAlive: isReady || running.length > 0 };
    });
}
