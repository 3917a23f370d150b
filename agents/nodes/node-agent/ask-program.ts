import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";

/** A working program answers within milliseconds. */
const timeout = 10_000;

interface Question<Answer> {
    /** `version`, or `versions`. */
    readonly about: string;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly input?: string;
    /** @returns undefined if it is no answer */
    readonly read: (output: string) => Answer | undefined;
}

/**
 * Asks a program for its version, which changes nothing.
 *
 * @throws Error if it does not answer, for example if it is for another architecture, or truncated
 */
export async function askProgram<Answer>(
    path: string,
    { about, args = [], env = {}, input = "", read }: Question<Answer>,
): Promise<Answer> {
    const failed = `${basename(path)} does not report its ${about}`;
    const asked = promisify(execFile)(path, args, { env, timeout });
    // It need not read its input.
    asked.child.stdin?.on("error", () => undefined);
    asked.child.stdin?.end(input);
    const { stdout } = await asked.catch((error: Error) => {
        throw new Error(`${failed}: ${firstWords(error.message)}`);
    });
    const answer = read(stdout);
    if (answer === undefined) throw new Error(`${failed}, but ${firstWords(JSON.stringify(stdout))}`);
    return answer;
}

/** Other output may be long. */
function firstWords(text: string): string {
    return text.replace(/\s+/g, " ").trim().slice(0, 200);
}
