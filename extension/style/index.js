import './tokens.css';
import './base.css';
import './panel.css';
import './traces.css';
import './code.css';
import './graph.css';
import './advice.css';
import './step.css';
