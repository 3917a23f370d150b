import { attacksInPod } from "../intruder/in-a-pod";
import { sharedCluster, sharedScene } from "../shared";

attacksInPod(sharedScene, sharedCluster);
