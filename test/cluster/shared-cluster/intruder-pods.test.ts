import { attacksInPod } from "../intruder/in-a-pod";
import { sharedAttacked } from "../shared";

attacksInPod(sharedAttacked);
