import { join } from "node:path";
import { agentProcess } from "../agent-process";

const keeper = agentProcess("etcd-keeper", join(__dirname, "crashing-restore.ts"));
export const { runAgent, startAgent } = keeper;

/** Restores until the agent reports an event, such as `swap-data:start`, at which it kills itself with SIGKILL. */
export const restoreUntilCrash = keeper.runUntilCrash;
