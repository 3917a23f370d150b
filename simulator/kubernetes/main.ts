import { serve } from "../plugin";
import { kubernetes } from "./provider";

void serve(kubernetes());
