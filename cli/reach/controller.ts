import { exec } from "../../machines";

/** A controller on which commands run as root, without the API. */
export interface Controller {
    readonly name: string;
    /**
     * Runs a shell script with arguments and standard input; resolves to its standard output.
     *
     * @throws with the error output if it fails
     */
    run(script: string, args?: readonly string[], input?: Buffer): Promise<string>;
}

/** A controller of a local cluster. */
export function localController(cluster: string, name: string): Controller {
    return {
        name,
        run: (script, args = [], input) =>
            exec(cluster, name, ["sh", "-c", script, "tradewind-recover", ...args], input),
    };
}
