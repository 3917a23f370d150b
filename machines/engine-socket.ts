import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const USUAL = "/var/run/docker.sock";

/** The socket of the engine that the Docker client would ask, where that is certain without asking the client. */
export function engineSocket(env: NodeJS.ProcessEnv = process.env, usual = USUAL): string | undefined {
    const { DOCKER_HOST, DOCKER_CONTEXT, TRADEWIND_DOCKER, DOCKER_CONFIG = join(homedir(), ".docker") } = env;
    if (TRADEWIND_DOCKER || DOCKER_CONTEXT) {
        return undefined;
    }
    // It wins over a context that is kept.
    const socket = DOCKER_HOST ? /^unix:\/\/(.+)$/.exec(DOCKER_HOST)?.[1] : usual;
    const isSure = DOCKER_HOST || !keepsContext(join(DOCKER_CONFIG, "config.json"));
    return socket && isSure && existsSync(socket) ? socket : undefined;
}

/** Whether somebody chose another engine by `docker context use`, or may have. */
function keepsContext(path: string): boolean {
    try {
        return ![undefined, "", "default"].includes(JSON.parse(readFileSync(path, "utf8")).currentContext);
    } catch {
        return existsSync(path);
    }
}
