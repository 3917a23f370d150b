import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Listed, list } from "./cluster";
import { DockerError, docker } from "./docker";
import { CLUSTER, containerName, filters, MACHINE, marks, ROLE } from "./names";

/** What is read about a container from the engine's list. */
interface InList {
    readonly Labels: Readonly<Record<string, string>>;
    readonly State: string;
    readonly NetworkSettings: {
        readonly Networks: Readonly<Record<string, { readonly IPAMConfig?: { readonly IPv4Address?: string } | null }>>;
    };
}

/** The machines of a cluster, as `list` shows them, read over the engine's socket where possible. */
export async function listMachines(cluster: string, timeout: number): Promise<Listed[]> {
    const socket = engineSocket();
    if (socket === undefined) {
        return (await list(cluster)).filter(({ role }) => role === "machine");
    }
    const call = { socket, what: ["ps"], deadline: Date.now() + timeout };
    const query = new URLSearchParams({ all: "true", filters: JSON.stringify({ label: marks(cluster, "machine") }) });
    return (await askEngine<InList[]>(call, `/containers/json?${query}`))
        .map(listed)
        .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** Names of the clusters that have a network, read the same way. */
export async function clusterNetworks(timeout = 10_000): Promise<string[]> {
    const socket = engineSocket();
    if (socket === undefined) {
        const format = `{{.Label "${CLUSTER}"}}`;
        return (await docker(["network", "ls", ...filters(), "--format", format])).split("\n").filter(Boolean);
    }
    const call = { socket, what: ["network", "ls"], deadline: Date.now() + timeout };
    const query = new URLSearchParams({ filters: JSON.stringify({ label: marks() }) });
    const all = await askEngine<Pick<InList, "Labels">[]>(call, `/networks?${query}`);
    return all.flatMap(({ Labels }) => Labels[CLUSTER] ?? []);
}

/** Runs a command in a machine the same way and returns its standard output. */
export function askMachine(
    cluster: string,
    name: string,
    command: readonly string[],
    timeout: number,
): Promise<string> {
    const socket = engineSocket();
    const container = containerName(cluster, name);
    return socket === undefined
        ? docker(["exec", container, ...command], { timeout })
        : execByApi({ socket, what: ["exec", container], deadline: Date.now() + timeout }, container, command);
}

function listed({ Labels, State, NetworkSettings }: InList): Listed {
    const addresses = Object.values(NetworkSettings.Networks).map(({ IPAMConfig }) => IPAMConfig?.IPv4Address);
    return {
        cluster: Labels[CLUSTER] ?? "",
        name: Labels[MACHINE] ?? "",
        role: Labels[ROLE] ?? "",
        address: addresses.find(Boolean) ?? "",
        state: State,
    };
}

const USUAL = "/var/run/docker.sock";

/** The socket of the engine that the Docker client would use, if that can be determined without running the client. */
export function engineSocket(env: NodeJS.ProcessEnv = process.env, usual = USUAL): string | undefined {
    const { DOCKER_HOST, DOCKER_CONTEXT, TRADEWIND_DOCKER, DOCKER_CONFIG = join(homedir(), ".docker") } = env;
    if (TRADEWIND_DOCKER || DOCKER_CONTEXT) {
        return undefined;
    }
    // Takes precedence over a stored context.
    const socket = DOCKER_HOST ? /^unix:\/\/(.+)$/.exec(DOCKER_HOST)?.[1] : usual;
    const isSure = DOCKER_HOST || !keepsContext(join(DOCKER_CONFIG, "config.json"));
    return socket && isSure && existsSync(socket) ? socket : undefined;
}

/** Whether another engine was, or may have been, selected by `docker context use`. */
function keepsContext(path: string): boolean {
    try {
        return ![undefined, "", "default"].includes(JSON.parse(readFileSync(path, "utf8")).currentContext);
    } catch {
        return existsSync(path);
    }
}

interface EngineCall {
    readonly socket: string;
    /** In the client's wording, for errors. */
    readonly what: readonly string[];
    /** Deadline for the answer, in milliseconds since 1970. */
    readonly deadline: number;
}

interface Wire extends EngineCall {
    readonly method: "GET" | "POST";
    readonly path: string;
    readonly body?: object;
}

/** Queries the engine over its socket: starting the Docker client takes longer than the answer itself. */
async function askEngine<T>(call: EngineCall, path: string): Promise<T> {
    return JSON.parse(String(await send({ ...call, method: "GET", path })));
}

/** Runs a command in a container and returns its standard output. */
async function execByApi(call: EngineCall, container: string, command: readonly string[]): Promise<string> {
    const post = (path: string, body: object) => send({ ...call, method: "POST", path, body });
    const exec = { AttachStdout: true, AttachStderr: true, Cmd: command };
    const { Id } = JSON.parse(String(await post(`/containers/${container}/exec`, exec)));
    const output = streamsOf(await post(`/exec/${Id}/start`, { Detach: false, Tty: false }));
    const { ExitCode } = await askEngine<{ ExitCode: number }>(call, `/exec/${Id}/json`);
    if (ExitCode !== 0) {
        throw new DockerError(call.what, ExitCode, output.stderr);
    }
    return output.stdout;
}

/** Frames: the first of eight bytes is the stream, the last four are the length. */
function streamsOf(frames: Buffer): { readonly stdout: string; readonly stderr: string } {
    const parts: Record<number, Buffer[]> = { 1: [], 2: [] };
    for (let start = 0; start + 8 <= frames.length; ) {
        const end = start + 8 + frames.readUInt32BE(start + 4);
        parts[frames[start]!]?.push(frames.subarray(start + 8, end));
        start = end;
    }
    const [stdout, stderr] = [1, 2].map((stream) => Buffer.concat(parts[stream]!).toString("utf8"));
    return { stdout: stdout!, stderr: stderr! };
}

function send({ socket: socketPath, what, deadline, method, path, body }: Wire): Promise<Buffer> {
    const payload = body === undefined ? "" : JSON.stringify(body);
    const headers = {
        host: "docker",
        ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
    };
    const milliseconds = Math.max(1, deadline - Date.now());
    return new Promise((resolve, reject) => {
        const signal = AbortSignal.timeout(milliseconds);
        const fail = (error: Error) =>
            reject(new DockerError(what, undefined, signal.aborted ? "no answer in time" : error.message));
        const sent = request({ socketPath, method, path, headers, signal, agent: false }, (answer) => {
            const chunks: Buffer[] = [];
            answer.on("data", (chunk) => chunks.push(chunk));
            answer.on("error", fail);
            answer.on("end", () => {
                const all = Buffer.concat(chunks);
                const status = answer.statusCode ?? 0;
                if (status >= 200 && status <= 299) resolve(all);
                else reject(new DockerError(what, status, messageOf(String(all))));
            });
        });
        sent.on("error", fail);
        sent.end(payload);
    });
}

function messageOf(text: string): string {
    try {
        return JSON.parse(text).message;
    } catch {
        return text;
    }
}
