import { createInterface } from "node:readline/promises";

/** Asks on the terminal. */
export async function ask(question: string): Promise<string> {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
        return (await terminal.question(question)).trim();
    } finally {
        terminal.close();
    }
}

/** Asks for a yes; everything else is a no. */
export async function confirm(question: string): Promise<boolean> {
    return /^y(es)?$/i.test(await ask(`${question} [y/N] `));
}
