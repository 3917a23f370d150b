import { runAgent } from "../../harness/main";

async function main(): Promise<string> {
    throw new Error("not implemented");
}

runAgent(main, { onSignal: "it does nothing" });
