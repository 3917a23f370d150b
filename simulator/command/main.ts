import { version } from "@pulumi/command/package.json";
import { type Provider, serve } from "../plugin";
import { command } from "./command";
import { type CommandInputs, checkRun } from "./inputs";
import { run } from "./run";

const provider: Provider = {
    name: "command",
    version,
    resource(type) {
        if (type === "command:local:Command") return command;
        throw new Error(`${type} needs the official command plugin: this stand-in runs commands on this machine only`);
    },
    async invoke(token, args, operation) {
        if (token !== "command:local:run") throw new Error(`the stand-in for the command provider has no ${token}`);
        const [failure] = checkRun(args);
        if (failure) throw new Error(failure.reason);
        const output = await run(String(args.command), args as CommandInputs, { stdout: "", stderr: "" }, operation);
        return { ...args, ...output };
    },
};

void serve(provider);
