import { probe } from "../common/probe";
import type { HttpGet } from "./pod";

/** Whether a process serves at all of its own endpoints. */
export async function doesServe(endpoints: readonly HttpGet[], address: string): Promise<boolean> {
    const problems = await Promise.all(
        endpoints.map(({ scheme = "HTTP", port, path = "/" }) =>
            probe(`${scheme.toLowerCase()}://${address}:${port}${path}`),
        ),
    );
    return problems.every((problem) => problem === undefined);
}
