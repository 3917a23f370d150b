import { runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { planSchema } from "./plan";
import { report } from "./report";

runAgent(async (path = "") => report(readPlan(path, planSchema)), { onSignal: "the next start resumes here" });
