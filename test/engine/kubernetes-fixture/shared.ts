import { ApiServer } from "../apiserver";
import { Engine } from "./stack";

let started: Promise<[ApiServer, Engine]> | undefined;

/** One API server and one engine for all test files that leave them as they are; each uses names of its own. */
export function shared(): Promise<[ApiServer, Engine]> {
    started ??= Promise.all([ApiServer.start(), Engine.start()]);
    return started;
}

// Of the whole run, for it is outside of any suite.
after(async () => {
    const [api, engine] = (await started) ?? [];
    engine?.stop();
    await api?.stop();
});
