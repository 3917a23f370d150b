import { isLoopbackAddress } from "../common/loopback";
import { probe } from "../common/probe";
import type { HttpGet } from "./pod";

/** Whether a process serves at all of its own endpoints. One at which none can be asked does not. */
export async function doesServe(endpoints: readonly HttpGet[], address: string): Promise<boolean> {
    if (!isLoopbackAddress(address) || !endpoints.every(isEndpoint)) {
        return false;
    }
    const problems = await Promise.all(
        endpoints.map(({ scheme = "HTTP", port, path = "/" }) =>
            probe(`${scheme.toLowerCase()}://${address}:${port}${path}`),
        ),
    );
    return problems.every((problem) => problem === undefined);
}

/** Whether it can be asked: a name of a port, say, means something to the kubelet alone. */
export function isEndpoint({ scheme = "HTTP", port, path = "/" }: HttpGet): boolean {
    const isPort = typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536;
    return isPort && ["HTTP", "HTTPS"].includes(scheme) && /^\/[!-~]*$/.test(path);
}
