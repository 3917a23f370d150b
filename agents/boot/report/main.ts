import { runAgent } from "../../harness/main";
import { readPlan } from "./plan";
import { report } from "./report";

runAgent(async (path = "") => report(readPlan(path)), { onSignal: "the next start resumes here" });
